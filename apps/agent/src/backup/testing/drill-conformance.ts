/**
 * A drill that cannot fail proves nothing. Here restic lies, each time in another way, behind the real agent and
 * against a real repository: every lie must fail, and the truth must pass, with all that restic supports.
 */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupKey, DrillResult, ResealResult, RunResult } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { type BackupHarness, backupId, createBackupHarness, openAgent, sealFor, startProxy } from './backup-harness.ts'
import type { SupportedRestic } from './supported-restics.ts'

/** The fault that a lie puts into the restored folder `$T`, of a tree that `$M` names; `$OLD` is an older snapshot. */
const lies: Record<string, string> = {
  'drops a file': 'rm "$T/Music/7"',
  'adds a file': 'echo more > "$T/Music/more"',
  'swaps two files': 'mv "$T/Music/1" "$T/x" && mv "$T/Music/2" "$T/Music/1" && mv "$T/x" "$T/Music/2"',
  'changes a byte':
    'R=$(mktemp) && touch -r "$T/Music/3" "$R" && printf X | dd of="$T/Music/3" bs=1 seek=77 conv=notrunc 2>/dev/null && touch -r "$R" "$T/Music/3"',
  'changes a mode': 'chmod 0600 "$T/Music/4"',
  'changes a time': 'touch -d "2001-01-01" "$T/Music/5"',
  'changes a link': 'R=$(mktemp) && touch -h -r "$T/out" "$R" && ln -sfn /tmp "$T/out" && touch -h -r "$R" "$T/out"',
  'drops an empty folder': 'rmdir "$T/Empty"',
  'restores nothing': 'find "$T" -mindepth 1 -delete',
  'restores an older snapshot': 'find "$T" -mindepth 1 -delete; "$RESTIC" restore "$OLD" --target "$T" >/dev/null',
}

export function describeDrills({ version, suite }: SupportedRestic): void {
  describe(`restic ${version}`, () => {
    let harness: BackupHarness
    let restic: string
    let older: string
    let made: Extract<RunResult, { outcome: 'done' }>
    const run = async (more: object = {}) => {
      const params = { repository: harness.repository('drill'), backupId, paths: ['/'], first: false, ...more }
      const result = (await harness.ask('backup.run', params)) as RunResult // of its kind
      if (result.outcome !== 'done') throw new Error(result.text)
      return result
    }
    /** The password for another machine, as the one that was backed up seals it. */
    const resealFor = async (to: BackupKey) => {
      const sealed = (await harness.ask('backup.reseal', { backupId, to })) as ResealResult // of its kind
      if (sealed.outcome !== 'done') throw new Error(sealed.text)
      return sealed.box
    }
    const drillParams = () => ({
      repository: harness.repository('drill'),
      backupId,
      snapshotId: made.snapshotId,
      paths: ['/'],
      apart: made.manifest?.apart ?? [],
    })
    /** As the server judges it. */
    const passes = (said: DrillResult) => {
      const { root, files } = made.manifest ?? { root: null, files: 0 }
      if (root === null || files === 0) throw new Error('The backup made no root')
      return said.outcome === 'done' && said.warnings === 0 && said.root === root && said.files === files
    }
    const leftovers = async (home: string) => (await readdir(home)).filter((name) => name === 'drilled')

    beforeAll(async () => {
      restic = (await ensureResticOf(suite)) ?? ''
      harness = await createBackupHarness(restic)
      const { drive } = harness.home
      await mkdir(join(drive, 'Music'))
      await mkdir(join(drive, 'Empty'))
      for (let at = 0; at < 12; at += 1) await writeFile(join(drive, 'Music', `${at}`), randomBytes(5000))
      await writeFile(join(drive, 'Music/3'), 'a'.repeat(5000))
      for (const name of ['1', '2']) await utimes(join(drive, 'Music', name), 2_000_000, 2_000_000)
      await symlink('/etc', join(drive, 'out'))
      await chmod(join(drive, 'Music/6'), 0o640)
      await link(join(drive, 'Music/8'), join(drive, 'Music/8 again'))
      await writeFile(Buffer.concat([Buffer.from(join(drive, 'Music/')), Buffer.from([0xff, 0xfe])]), 'any bytes')
      await utimes(join(drive, 'Music'), 1_000_000, 1_000_000)
      older = (await run({ first: true, box: await sealFor(harness.backups.publicKey) })).snapshotId
      await writeFile(join(drive, 'Music/new'), 'new')
      made = await run()
    })
    afterAll(() => harness[Symbol.asyncDispose]())

    test('the truth passes, leaves nothing, and a second root needs no file to be read again', async () => {
      const said = (await harness.ask('backup.drill', drillParams())) as DrillResult // of its kind
      expect(passes(said)).toBe(true)
      expect(said).toMatchObject({ files: 15, warnings: 0 })
      expect(made.manifest).toMatchObject({ files: 15, apart: [] })
      expect(await leftovers(harness.home.folder)).toEqual([])
      expect((await run()).manifest).toEqual(made.manifest)
    })

    test('passes where the vault had to be asked again', async () => {
      const asked = new Set<string>()
      const proxy = await startProxy(harness.origin, async ({ url = '' }) => {
        if (!/\/data\/[0-9a-f]{64}/.test(url) || asked.has(url)) return undefined
        asked.add(url)
        return 500
      })
      try {
        const params = { ...drillParams(), repository: harness.repository('drill', proxy.origin) }
        const said = (await harness.ask('backup.drill', params)) as DrillResult // of its kind
        expect(asked.size).toBeGreaterThan(0)
        expect(said).toMatchObject({ outcome: 'done', warnings: 0 })
        expect(passes(said)).toBe(true)
      } finally {
        proxy.stop()
      }
    })

    // The trees are compared, not the versions that wrote them: one version lies in every way, the other in one.
    test.each([...Object.entries(lies).slice(version === '0.18' ? 0 : -1), ['tells the truth', ':']])(
      'that %s is found out, or believed',
      async (lie, act) => {
        const program = join(harness.folder, `restic that ${lie}`)
        const script = `#!/bin/sh
PATH=/usr/bin:/bin; RESTIC='${restic}'; OLD='${older}'; T=
for each in "$@"; do [ "$last" = --target ] && T=$each; last=$each; done
case " $* " in *" restore --"*|*" restore ${made.snapshotId}"*) ;; *) exec "$RESTIC" "$@" ;; esac
PASSWORD=$(cat <&3); REPOSITORY=$(cat <&4)
export RESTIC_PASSWORD="$PASSWORD" RESTIC_REPOSITORY="$REPOSITORY"
unset RESTIC_PASSWORD_FILE RESTIC_REPOSITORY_FILE
"$RESTIC" "$@" || exit
# Nothing but the lie is to be seen: the folder keeps its time.
KEPT=$(mktemp); touch -r "$T/Music" "$KEPT"
${act}
[ ! -d "$T/Music" ] || touch -r "$KEPT" "$T/Music"
`
        await writeFile(program, script, { mode: 0o755 })
        const liar = await openAgent(join(harness.folder, 'liar'), program)
        try {
          const box = await resealFor(liar.backups.publicKey)
          const answer = await liar.run('backup.drill', { ...drillParams(), box }, { taskId: 'at_lie' })
          const said = answer as DrillResult // of its kind
          // It lied only: nothing else stood in its way.
          expect(said).toMatchObject({ outcome: 'done' })
          expect(passes(said)).toBe(act === ':')
          expect(await leftovers(liar.home.folder)).toEqual([])
        } finally {
          liar.backups.stop()
        }
      },
    )

    test('of a tree that changes while it is backed up leaves apart what changed, and passes', async () => {
      const { drive } = harness.home
      for (let at = 0; at < 60; at += 1) await writeFile(join(drive, 'Music', `more ${at}`), randomBytes(200_000))
      let isOver = false
      const restless = (async () => {
        for (let at = 0; !isOver; at += 1) {
          await writeFile(join(drive, 'restless'), `${at}`)
          await sleep(1) // a pace: it is to change all the time
        }
      })()
      await until('it is there', async () => (await readdir(drive)).includes('restless'))
      made = await run()
      isOver = true
      await restless
      expect(made.manifest?.apart.length).toBeGreaterThan(0)
      const said = (await harness.ask('backup.drill', drillParams())) as DrillResult // of its kind
      expect(passes(said)).toBe(true)
    })

    test('keeps its password on a machine of the owner, and says so where it has none', async () => {
      const own = await openAgent(join(harness.folder, 'own'), restic, false)
      own.backups.stop()
      const params = { backupId, to: harness.backups.publicKey }
      expect(own.backups.mayReseal).toBe(false)
      expect(await own.run('backup.reseal', params, { taskId: 'at_own' })).toMatchObject({
        outcome: 'failed',
        text: 'The password of this machine stays on it.',
      })
      const unknown = await harness.ask('backup.reseal', { ...params, backupId: 'bk_other0001' })
      expect(unknown).toMatchObject({ outcome: 'failed', failure: 'no_password' })
    })

    test('canceled leaves nothing, and what one left that was killed is gone at the next start', async () => {
      const { folder } = harness.home
      const program = join(harness.folder, 'slow-restic')
      const script = `#!/bin/sh
PATH=/usr/bin:/bin
for each in "$@"; do [ "$last" = --target ] && T=$each; last=$each; done
case " $* " in *" restore --"*|*" restore ${made.snapshotId}"*) mkdir -p "$T/half"; exec sleep 600 ;; esac
exec '${restic}' "$@"
`
      await writeFile(program, script, { mode: 0o755 })
      const slow = await openAgent(join(harness.folder, 'slow'), program)
      const canceling = new AbortController()
      const box = await resealFor(slow.backups.publicKey)
      const options = { taskId: 'at_slow', signal: canceling.signal }
      const running = slow.run('backup.drill', { ...drillParams(), box }, options)
      running.catch(() => undefined) // awaited below
      await until('it restores', async () => (await leftovers(slow.home.folder)).length > 0)
      canceling.abort(new Error('canceled'))
      await expect(running).rejects.toThrow('canceled')
      slow.backups.stop()
      expect(await leftovers(slow.home.folder)).toEqual([])
      await mkdir(join(folder, 'drilled/half'), { recursive: true })
      const again = await openAgent(folder, restic)
      again.backups.stop()
      expect(await leftovers(folder)).toEqual([])
    })
  })
}
