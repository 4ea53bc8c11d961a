import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createTestDatabase, findFreePorts, listProcessesOf, until } from '@atoll/testkit'
import { expect, it } from 'vitest'

it.each(['scripts/with-node.mjs', 'scripts/dev.ts'])(
  'the server of npm run dev ends with a killed %s',
  async (killed) => {
    await using scratch = await createTestDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'atoll-dev-'))
    const [page, walletPage, api, wallet, edge, vault] = await findFreePorts(6)
    const wrapper = spawn(process.execPath, [join(import.meta.dirname, 'with-node.mjs'), 'scripts/dev.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        npm_lifecycle_event: undefined,
        DEV_PORT: String(page),
        DEV_WALLET_PORT: String(walletPage),
        ATOLL_DATA_DIR: dataDir,
        ATOLL_PORT: String(api),
        ATOLL_WALLET_PORT: String(wallet),
        ATOLL_EDGE_PORT: String(edge),
        ATOLL_VAULT_PORT: String(vault),
        ATOLL_LOG_LEVEL: 'error',
        DATABASE_URL: scratch.url,
      },
    })
    try {
      const lines: string[] = []
      createInterface({ input: wrapper.stdout }).on('line', (line) => lines.push(line))
      await until('the server runs', () => lines.includes(`Console: http://localhost:${page}`))
      const victim = listProcessesOf(dataDir).find(({ command }) => command[1]?.endsWith(killed))
      expect(victim).toBeDefined()
      if (victim) process.kill(victim.pid, 'SIGKILL')
      await until('nothing of it runs', () => listProcessesOf(dataDir).length === 0)
    } finally {
      for (const { pid } of listProcessesOf(dataDir)) process.kill(pid, 'SIGKILL')
      rmSync(dataDir, { recursive: true })
    }
  },
)
