DROP TABLE secret_marks;
