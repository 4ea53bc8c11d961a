-- What modules below clusters may read of them in a query of their own: whose a cluster is and what it is called, and
-- which of its instances is which. Only read: the tables belong to the module clusters.
create view owned_clusters as select id, owner, name, status, created_at from clusters;
create view owned_instances as select id, cluster_id, role, ordinal, created_at from instances;
