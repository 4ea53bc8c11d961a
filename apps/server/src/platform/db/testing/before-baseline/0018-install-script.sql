-- The operator's own script of the version that is wanted (catalog.yaml), run by the agent in the step named script.
alter table agents add column task_script text;
