-- Which part of a cap was told is known by its mail, as of every mail about money (billing_mails).
drop table spend_cap_marks;
