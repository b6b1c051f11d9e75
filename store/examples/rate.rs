use diesel::prelude::*; use store::*; use std::time::Instant;
#[tokio::main]
async fn main(){
  for d in [Some(testing::Database::sqlite()), testing::Database::postgres()].into_iter().flatten() {
    let s=d.store();
    let _:Result<(),StoreError>=s.write(Lane::Desk,|c|{diesel::sql_query("CREATE TABLE probe (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL)").execute(c)?;Ok(())}).await;
    let t=Instant::now(); let n=60; let m=100;
    let js:Vec<_>=(0..n).map(|k|{let s=s.clone();tokio::spawn(async move{for i in 0..m{let id:i64=k*m+i;let r:Result<(),StoreError>=s.write(Lane::Desk,move|c|{diesel::sql_query("INSERT INTO probe VALUES ($1,1)").bind::<diesel::sql_types::BigInt,_>(id).execute(c)?;Ok(())}).await;r.unwrap();}})}).collect();
    for j in js{j.await.unwrap();}
    println!("{:?} {:.0} writes/s",s.engine(),(n*m) as f64/t.elapsed().as_secs_f64());
    let t=Instant::now();
    let js:Vec<_>=(0..n).map(|_|{let s=s.clone();tokio::spawn(async move{for _ in 0..m{let r:Result<(),StoreError>=s.read(|c|{diesel::sql_query("SELECT id FROM probe WHERE id=5").execute(c)?;Ok(())}).await;r.unwrap();}})}).collect();
    for j in js{j.await.unwrap();}
    println!("{:?} {:.0} reads/s",s.engine(),(n*m) as f64/t.elapsed().as_secs_f64());
  }
}
