import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dig, findFreePorts, until, whyNoDnsLab } from '@atoll/testkit'
import { describe, expect, it } from 'vitest'

const missing = whyNoDnsLab()
const project = join(import.meta.dirname, '..')

describe.skipIf(missing !== undefined)(`npm run dns-lab${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('serves the records that its page is given, refuses what are none, and leaves nothing', async () => {
    const [page = 0, dns = 0, edge = 0, tls = 0] = await findFreePorts(4)
    const ports = Object.entries({ page, dns, edge, tls }).flatMap(([name, port]) => [`--${name}`, String(port)])
    const lab = spawn(process.execPath, ['scripts/dns-lab.ts', ...ports], { cwd: project, stdio: 'pipe' })
    let said = ''
    for (const stream of [lab.stdout, lab.stderr]) stream.on('data', (chunk) => (said += chunk))
    try {
      await until('it is ready', () => said.includes('Ctrl+C'), { onTimeout: () => said })
      const save = async (records: string) => {
        const body = new URLSearchParams({ records })
        return await fetch(`http://127.0.0.1:${page}`, { method: 'POST', body, signal: AbortSignal.timeout(60_000) })
      }
      const [resolver = ''] = /(?<=Believing=)[\d.]+/.exec(said) ?? []
      const asked = () => dig(`@${resolver}`, '+short', 'cloud.lagoon.example', 'TXT')
      expect((await save('cloud TXT "one"')).status).toBe(200)
      expect(await asked()).toContain('"one"')
      const refused = await save('$INCLUDE /etc/hostname')
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('cannot begin with $')])
      expect((await save('x'.repeat(100_000))).status).toBe(400)
      expect(await asked()).toContain('"one"')
      const [root = ''] = /(?<=--cacert )\S+/.exec(said) ?? []
      expect(existsSync(root)).toBe(true)
      lab.kill('SIGINT')
      expect(await once(lab, 'exit')).toEqual([0, null])
      expect(existsSync(root)).toBe(false)
    } finally {
      lab.kill('SIGKILL')
    }
  })
})
