import { sql } from 'kysely'
import { listProcesses } from '../../../platform/heartbeat/index.ts'
import { type Check, failed, passed, reasonOf, skipped, warned } from '../check.ts'
import { isPublicUrl } from '../public-url.ts'

const group = 'Configuration'
/** The difference allowed between the clocks of two hosts, ms. */
const mostApartMs = 1000
/** A `Date` header has whole seconds, and is some time under way. */
const outsideApartMs = 3000

export const configurationChecks: readonly Check[] = [
  {
    name: 'public-url',
    group,
    title: 'ATOLL_PUBLIC_URL is reached from outside',
    async look({ config: { publicUrl }, context }) {
      if (!isPublicUrl(publicUrl)) return skipped(`${publicUrl} is this machine's own address`)
      const mend =
        'Let the name lead to this machine, and the proxy or the edge on port 443 to the role api; then open the address in a browser.'
      try {
        const { status, body } = await context.get(`${publicUrl}/healthz`)
        if (status === 200 && body.includes('"status":"ok"')) return passed()
        return failed(`${publicUrl}/healthz answers ${status}, and not as Atoll does.`, mend)
      } catch (error) {
        return failed(`${publicUrl} does not answer: ${reasonOf(error)}.`, mend)
      }
    },
  },
  {
    name: 'secret-key',
    group,
    title: 'ATOLL_SECRET_KEY opens what is sealed',
    needsDatabase: true,
    async look({ context }) {
      try {
        await context.tryKey()
        return passed()
      } catch (error) {
        return failed(reasonOf(error), 'Put the key of this deployment back; a backup of the deployment may have it.')
      }
    },
  },
  {
    name: 'secret-modes',
    group,
    title: 'Keys and folders are closed to others',
    async look({ config, context }) {
      const folders = await Promise.all(
        [config.dataDir].map(async (path) => (((await context.statusOf(path))?.mode ?? 0) & 0o002 ? [path] : [])),
      )
      const files = await Promise.all(
        config.secretFiles.map(async (path) => {
          const status = await context.statusOf(path)
          // Of root's files the group of the service may read; nobody but their owner writes any.
          return status !== undefined && status.mode & (status.uid === 0 ? 0o027 : 0o077) ? [path] : []
        }),
      )
      const [open, written] = [files.flat(), folders.flat()]
      if (open.length + written.length === 0) return passed()
      const found = [
        ...open.map((path) => `Others may read or change ${path}.`),
        ...written.map((path) => `Everybody may write to ${path}.`),
      ]
      const commands = [...open.map((path) => `chmod o=,g-wx ${path}`), ...written.map((path) => `chmod o-w ${path}`)]
      return failed(found.join(' '), 'Close them, and replace each secret that others could read.', ...commands)
    },
  },
  {
    name: 'time',
    group,
    title: 'Time differs by less than 1 s on all hosts',
    needsDatabase: true,
    async look({ db, context }) {
      const before = context.now().getTime()
      const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp())::float8 as at`.execute(db)
      const after = context.now().getTime()
      const here = (before + after) / 2 - (rows[0]?.at ?? 0) * 1000
      // Half the round trip: the measured difference is not known more exactly.
      const slack = (after - before) / 2
      const hosts = [
        ...(Math.abs(here) - slack > mostApartMs ? [{ host: 'this machine', aheadMs: here }] : []),
        ...(await listProcesses(db)).flatMap(({ host, aheadMs }) =>
          host !== null && aheadMs !== null && Math.abs(aheadMs) > mostApartMs ? [{ host, aheadMs }] : [],
        ),
      ]
      if (hosts.length === 0) return passed()
      const found = hosts.map(({ host, aheadMs }) => `${host}: ${(aheadMs / 1000).toFixed(1)} s`).join(', ')
      return failed(
        `Ahead of the database's clock: ${found}.`,
        'Have each host take its time from the network.',
        'timedatectl set-ntp true',
      )
    },
  },
  {
    name: 'outside-clock',
    group,
    title: 'The clock is right',
    async look({ config: { clockUrl }, context }) {
      if (clockUrl === undefined) return skipped('no outside clock is named: ATOLL_CLOCK_URL')
      const outside = await context.outsideTime(clockUrl)
      if (outside === undefined)
        return warned(`${clockUrl} does not tell the time.`, 'Name an HTTPS address that answers in ATOLL_CLOCK_URL.')
      const apart = context.now().getTime() - outside.getTime()
      if (Math.abs(apart) <= outsideApartMs) return passed()
      return failed(
        `This machine is ${(apart / 1000).toFixed(0)} s ahead of ${new URL(clockUrl).host}.`,
        'Have it take its time from the network.',
        'timedatectl set-ntp true',
      )
    },
  },
  {
    name: 'same-version',
    group,
    title: 'Same version in all processes',
    needsDatabase: true,
    async look({ db, config: { version, isRelease } }) {
      const running = await listProcesses(db)
      if (running.length === 0) return skipped('no process runs')
      const other = running.filter((one) => one.version !== version)
      if (other.length === 0) return passed(`${running.length} of ${version}`)
      const found = other.map(
        (one) => `${one.host ?? 'a host'} (${one.roles ?? 'roles unknown'}): ${one.version ?? 'older'}`,
      )
      return warned(
        `This is ${version}; another runs on ${found.join(', ')}.`,
        'Restart what runs another version.',
        ...(isRelease ? ['atollctl restart'] : []),
      )
    },
  },
]
