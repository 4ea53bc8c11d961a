/**
 * An empty second machine beside the one of debian-proof.ts, which comes back from package, key and backup alone, by
 * the steps of docs/operator/self-backup.md.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { bootDebian } from './debian-machine.ts'

interface Proof {
  prove(sentence: string, proof: () => Promise<string | undefined>): Promise<void>
  on(program: string, ...args: string[]): Promise<string>
  folder: string
  debianPackage: string
}

const prepare = `su postgres -c 'createuser --createdb atoll && createdb -O atoll atoll'
for name in key backup-password; do install -m 0640 -o root -g atoll /var/tmp/$name /etc/atoll/$name; done
chown -R atoll:atoll /srv/backup
cat > /etc/atoll/atoll.env <<'SETTINGS'
DATABASE_URL=postgresql://atoll@/atoll?host=/var/run/postgresql
ATOLL_SECRET_KEY_FILE=/etc/atoll/key
ATOLL_DATA_DIR=/var/lib/atoll
ATOLL_SELF_BACKUP_REPOSITORY=/srv/backup
ATOLL_SELF_BACKUP_PASSWORD_FILE=/etc/atoll/backup-password
SETTINGS
chown root:atoll /etc/atoll/atoll.env
chmod 0640 /etc/atoll/atoll.env`

export async function proveSecondMachine({ prove, on, folder, debianPackage }: Proof): Promise<void> {
  await prove('an empty second machine comes back from package, key and backup alone, and is careful', async () => {
    const ask = async (run: typeof on, sql: string) =>
      (await run('runuser', '-u', 'atoll', '--', 'psql', '-d', 'atoll', '-Atqc', sql)).trim()
    await ask(on, "insert into deployment_facts values ('a fact of the second machine', 'kept')")
    await on('atollctl', 'backup')
    const first = (path: string) => join(folder, 'root', path)
    const second = await bootDebian(join(folder, 'second'), debianPackage, {
      'srv/backup': first('srv/backup'),
      'var/tmp/key': first('etc/atoll/key'),
      'var/tmp/backup-password': first('etc/atoll/backup-password'),
    })
    try {
      const began = performance.now()
      await second.run('sh', '-ec', prepare)
      await second.run('atollctl', 'restore', '--yes')
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      await second.run('systemctl', 'enable', '--now', 'atoll.target')
      const ready = await until('the worker says what it is', async () => {
        const said = await second.run('curl', '-sS', 'http://127.0.0.1:4810/readyz').catch(() => '')
        return said.includes('careful') ? said : undefined
      })
      assert.match(ready, /restored from the backup/)
      const fact = "select value from deployment_facts where name = 'a fact of the second machine'"
      assert.equal(await ask(second.run, fact), 'kept')
      return `restored after ${seconds} s`
    } finally {
      await second.stop()
    }
  })
}
