/**
 * `npm run dev`: the server restarts when its sources change, and each front end is served by Vite with hot reload,
 * asking the server for everything that is not a page. The addresses that the server prints are those of Vite, on
 * DEV_PORT and DEV_WALLET_PORT.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { loadConfig } from '../apps/server/src/config.ts'
import { isCurrent, listFrontEnds } from './building/build-state.ts'
import { buildFrontEnd } from './building/front-ends.ts'
import { stopWithParent } from './processes.ts'
import { projectRoot } from './project.ts'

// First: until the server runs, a request to stop ends this process as it is.
stopWithParent()

const config = loadConfig(process.env, projectRoot)
const api = `http://127.0.0.1:${config.port}`
/** Addresses of the development pages; the server hands them out in place of those it would serve itself. */
const ports = {
  'apps/console': Number(process.env['DEV_PORT'] ?? 5173),
  'apps/wallet': Number(process.env['DEV_WALLET_PORT'] ?? 5174),
}

// The personal server's pages come from the agent; they are built once.
for (const frontEnd of listFrontEnds()) {
  if (!(frontEnd.name in ports) && !isCurrent(frontEnd)) await buildFrontEnd(frontEnd)
}

const apiPaths = [
  '/v1',
  '/v2',
  '/api',
  '/config.json',
  '/create_local',
  '/bind_name',
  '/name_domains',
  '/get_name_by_did',
  '/1.0',
  '/enroll.sh',
  '/agent',
  '/outbox',
  '/avatars',
  '/openapi.json',
]
const pages = await Promise.all(
  listFrontEnds()
    .filter(({ name }) => name in ports)
    .map(async ({ name, folder }) => {
      const page = await createServer({
        root: folder,
        configFile: `${folder}/vite.config.ts`,
        server: {
          port: ports[name as keyof typeof ports], // the filter above lets only these names pass
          strictPort: true,
          proxy: Object.fromEntries(apiPaths.map((path) => [path, api])),
        },
      })
      await page.listen()
      return page
    }),
)

// Vite would end this process as soon as the pages are closed, before the server has stopped.
process.removeAllListeners('SIGTERM')
const server = spawn(process.execPath, ['scripts/dev-server.ts', ...process.argv.slice(2)], {
  cwd: projectRoot,
  // By the channel it sees this process end.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ATOLL_PUBLIC_URL: `http://localhost:${ports['apps/console']}`,
    ATOLL_WALLET_URL: `http://localhost:${ports['apps/wallet']}`,
    ...process.env,
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
server.once('exit', (code) => {
  void Promise.all(pages.map((page) => page.close())).then(() => process.exit(code ?? 1))
})
