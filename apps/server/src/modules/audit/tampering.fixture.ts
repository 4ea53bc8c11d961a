import type { Pool } from 'pg'

/** Runs statements with a superuser's rights: no trigger fires, so append-only is no obstacle. */
export async function asSuperuser(pool: Pool, statements: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set session_replication_role = replica; ${statements}`)
  } finally {
    client.release(true)
  }
}

/** SQL of a superuser that writes the chain from record 2 on as it would be over the present fields. */
export const rewriteChain = `
  do $$ declare r audit_records; previous text; begin
    select hash into previous from audit_records where seq = 1;
    for r in select * from audit_records where seq > 1 order by seq loop
      select audit_commitment(p) into r.commitment from audit_personal p where p.record = r.seq;
      previous := audit_hash(previous, r);
      update audit_records set commitment = r.commitment where seq = r.seq;
      update audit_records set hash = previous where seq = r.seq;
      update audit_head set seq = r.seq, hash = previous;
    end loop;
  end $$;`
