-- The file with a vault's claim is gone though the database knows of files there: another disk may be in its place.
alter table claims drop constraint claims_problem_check;
alter table claims add constraint claims_problem_check check (problem in ('behind', 'stranger', 'missing'));
