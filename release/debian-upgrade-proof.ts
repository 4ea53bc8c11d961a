/**
 * `atollctl` on the machine of debian-proof.ts: backup, upgrade under requests and rollback, upgrades to three versions
 * that are each broken in another way, restore, and refusal of a tampered package.
 */
import assert from 'node:assert/strict'

interface Proof {
  prove(sentence: string, proof: () => Promise<string | undefined>): Promise<void>
  on(program: string, ...args: string[]): Promise<string>
  underRequests(seconds: number, act: () => Promise<void>): Promise<string>
  version: string
}

const versions = '/usr/lib/atoll/versions'

/** Where the package and the sums of its release lie in the machine. */
export const releaseFolder = 'var/tmp/release'

const setUpBackup = `su postgres -c "psql -qc 'alter role atoll createdb'"
install -d -o atoll -g atoll -m 0700 /srv/backup
head -c 24 /dev/urandom | base64 -w0 | install -m 0640 -o root -g atoll /dev/stdin /etc/atoll/backup-password
cat >> /etc/atoll/atoll.env <<'SETTINGS'
ATOLL_SELF_BACKUP_REPOSITORY=/srv/backup
ATOLL_SELF_BACKUP_PASSWORD_FILE=/etc/atoll/backup-password
SETTINGS`

/** $0: versions; $1: the one to begin with; $2: the new one; $3: what is changed in its folder. */
const layOut = `cp -al "$0/$1" "$0/$2" && cd "$0/$2" && sed "s/\\"version\\": \\"[^\\"]*\\"/\\"version\\": \\"$2\\"/" package.json > new
mv new package.json && sh -ec "$3"`

/** The program that is there is kept under another name: the files are shared with the version they came from. */
const wrap = (code: string) => `mv server/atoll.mjs server/real.mjs
cat > server/atoll.mjs <<'PROGRAM'
${code}
await import('./real.mjs')
PROGRAM`

const migrations = 'apps/server/migrations'

/** Rows that the version before wrote, which the migrations of the next one have to fill. */
const earlierRows = 5000
const writeEarlierRows = `insert into deployment_facts (name, value)
  select 'a row of the proof ' || n, 'before' from generate_series(1, ${earlierRows}) n`

/** The migrations of the next version: one that expands, one index built while others write, one fill in batches. */
const nextMigrations: Readonly<Record<string, string>> = {
  '9990-expand.sql': `create table release_proof (id int);
alter table deployment_facts add column proof_length int;`,
  '9991-index.sql': `-- in steps
create index concurrently if not exists deployment_facts_by_proof_length on deployment_facts (proof_length);`,
  '9992-fill.sql': `-- in steps
-- until none is left
update deployment_facts set proof_length = length(value)
  where name in (select name from deployment_facts where proof_length is null limit 1000);`,
}

const writeMigrations = (version: string) =>
  Object.entries(nextMigrations)
    .map(([name, sql]) => `cat > ${migrations}/${name} <<'SQL'\n-- oldest program: ${version}\n${sql}\nSQL`)
    .join('\n')

const broken: readonly (readonly [name: string, how: string, change: (version: string) => string])[] = [
  [
    'migration',
    'whose migration fails',
    (version) => `printf -- '-- oldest program: ${version}\\nselect 1 / 0;\\n' > ${migrations}/9993-broken.sql`,
  ],
  [
    'role',
    'whose worker does not start',
    () => wrap("if (process.argv.includes('worker')) throw new Error('broken on purpose')"),
  ],
  [
    'red',
    'that is ready no more after 30 s',
    () =>
      wrap(`import { Server } from 'node:http'
const { emit } = Server.prototype
const began = Date.now()
Server.prototype.emit = function (event, request, response) {
  if (event !== 'request' || request.url !== '/readyz' || Date.now() - began < 30_000) return emit.apply(this, arguments)
  response.statusCode = 503
  return response.end()
}`),
  ],
]

export async function proveUpgrades({ prove, on, underRequests, version }: Proof): Promise<void> {
  const next = `${version}-next`
  const inUse = async () => JSON.parse(await on('curl', '-sS', 'http://127.0.0.1:4800/healthz')).version
  const ask = async (sql: string) =>
    (await on('runuser', '-u', 'atoll', '--', 'psql', '-d', 'atoll', '-Atqc', sql)).trim()
  /** The output of a command that ended with `code`. */
  const fails = async (code: number, ...args: string[]) => {
    const said = await on('sh', '-c', '"$@" 2>&1; echo "ended with $?"', 'sh', 'atollctl', ...args)
    assert.match(said, new RegExp(`ended with ${code}\\s*$`))
    return said
  }

  await prove('a backup goes to restic, by hand and by its unit, and comes back in a database of its own', async () => {
    await on('sh', '-ec', setUpBackup)
    await on('atollctl', 'backup', 'init')
    await on('atollctl', 'backup')
    await on('systemctl', 'start', 'atoll-backup.service')
    const verified = await on('atollctl', 'backup', 'verify')
    assert.match(verified, /The audit log is whole/)
    return verified.split('\n')[1]
  })
  await prove('an upgrade under requests refuses nobody, and neither does a rollback, which loses no row', async () => {
    await on('sh', '-ec', layOut, versions, version, next, writeMigrations(version))
    await ask(writeEarlierRows)
    const up = await underRequests(110, async () => void (await on('atollctl', 'upgrade', next)))
    assert.equal(await inUse(), next)
    const isBuilt = "select indisvalid from pg_index where indexrelid = 'deployment_facts_by_proof_length'::regclass"
    assert.equal(await ask(isBuilt), 't')
    assert.equal(await ask(`select count(*) >= ${earlierRows} from deployment_facts where proof_length > 0`), 't')
    await ask('insert into release_proof values (1)')
    const down = await underRequests(100, async () => void (await on('atollctl', 'rollback')))
    assert.equal(await inUse(), version)
    assert.equal(await ask('select count(*) from release_proof'), '1')
    return `${up}; back: ${down}`
  })
  for (const [name, how, change] of broken) {
    await prove(`a version ${how} leaves the one before in use, by itself`, async () => {
      const bad = `${version}-${name}`
      await on('sh', '-ec', layOut, versions, next, bad, change(version))
      const said = await fails(1, 'upgrade', bad, '--no-backup', '--json')
      assert.equal(await inUse(), version, said)
      return /"outcome": "[a-z ]+"/.exec(said)?.[0]
    })
  }
  await prove('a restore brings back what was backed up, careful, beside the database of before', async () => {
    await ask("insert into deployment_facts values ('a fact of the proof', 'before')")
    await on('atollctl', 'backup')
    await ask("update deployment_facts set value = 'after' where name = 'a fact of the proof'")
    const said = await on('atollctl', 'restore', '--yes')
    const value = "select value from deployment_facts where name = 'a fact of the proof'"
    assert.equal(await ask(value), 'before')
    const [kept = ''] = /atoll_before_\w+/.exec(said) ?? []
    assert.equal(await ask(`select count(*) from pg_database where datname = '${kept}'`), '1')
    const ready = await on('curl', '-sS', '--retry', '20', '--retry-all-errors', 'http://127.0.0.1:4810/readyz')
    assert.match(ready, /restored from the backup/)
    return undefined
  })
  await prove('a package is taken when its release is signed, and not when somebody changed it', async () => {
    const file = `/${releaseFolder}/atoll_${version}_amd64.deb`
    assert.match(await on('atollctl', 'upgrade', file), /is signed with the key.*\n[\s\S]*in use already/)
    await on('sh', '-ec', 'echo more >> "$0"', file)
    assert.match(await fails(2, 'upgrade', file), /not the file that SHA256SUMS names/)
    await on('rm', `/${releaseFolder}/SHA256SUMS.sig`)
    assert.match(await fails(2, 'upgrade', file), /NOT SIGNED/)
    return undefined
  })
}
