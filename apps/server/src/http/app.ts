import { agentChannelPath, agentMessageLimit } from '@atoll/contract/agents'
import type { RuntimeConfig } from '@atoll/contract/identity'
import { isStaffReach } from '@atoll/contract/wire'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import { currentBuild, describeBuild } from '../platform/install.ts'
import type { Log } from '../platform/log.ts'
import { type LookAs, mountCalls } from './calls.ts'
import type { EventStreams } from './events.ts'
import { openApiDocument } from './openapi.ts'
import { mountOperations, type OperationsOptions } from './operations/operations.ts'
import { consolePages, walletPages } from './pages/page-paths.ts'
import { distOf, serveSpa } from './pages/spa.ts'
import { defineEndpoint } from './rates/define-endpoint.ts'
import type { TakeScarce } from './rates/limit-requests.ts'
import type { Authenticate } from './request/authenticate-request.ts'
import { acceptBodies } from './request/body.ts'
import { allowPages } from './request/cross-origin.ts'
import { refuseUpgrades } from './request/malformed-request.ts'
import type { Route } from './route.ts'
import { createHttpServer } from './server.ts'
import type { HttpConfig } from './settings.ts'

export interface AppOptions {
  config: HttpConfig & {
    product: string
    walletName: string
    requireMatchNumber: boolean
    links?: { [Name in keyof RuntimeConfig['links']]: string | undefined }
  }
  log: Log
  clock: Clock
  operations: OperationsOptions
}

export interface ApiOptions extends AppOptions {
  routes: readonly Route[]
  /** The modules' raw endpoints: identity, the agents' channel. */
  plugins: readonly FastifyPluginAsync[]
  authenticate: Authenticate
  /** Without it, nobody looks as somebody else. */
  lookAs?: LookAs
  /** Counts what is scarce. */
  takeScarce: TakeScarce
  events: EventStreams
  /** Whether one of the plugins shows `/outbox`. */
  isOutboxShown: boolean
}

/** The console's pages and the whole API, on one port. */
export async function createConsoleApp(options: ApiOptions): Promise<FastifyInstance> {
  const { config, routes } = options
  const app = await createOperationsApp(options, options.takeScarce)
  acceptBodies(app)
  const consoleOrigins = [...new Set([config.publicUrl, config.chinaUrl])].map((url) => new URL(url).origin)
  const calls = routes.map(({ call }) => call)
  const walletOrigins = [config.walletUrl, ...config.formerWalletUrls].map((url) => new URL(url).origin)
  await allowPages(app, { wallets: walletOrigins, console: consoleOrigins }, calls)
  // Compression costs more memory per connection than an agent's few kilobytes are worth.
  await app.register(websocket, { options: { maxPayload: agentMessageLimit, perMessageDeflate: false } })
  refuseUpgrades(app, [agentChannelPath])
  mountCalls(app, routes, options.authenticate, options.lookAs)
  options.events.mount(app)
  for (const plugin of options.plugins) await app.register(plugin)

  const [ofStaff, ofCustomers] = [true, false].map((isStaffs) =>
    openApiDocument(
      calls.filter(({ reach }) => isStaffReach(reach) === isStaffs),
      { title: config.product, url: config.publicUrl },
    ),
  )
  app.route({
    ...defineEndpoint({ method: 'GET', url: '/openapi.json', openBecause: 'it describes what everybody may ask' }),
    handler: async () => ofCustomers,
  })
  app.route({
    ...defineEndpoint({ method: 'GET', url: '/openapi-operator.json', openBecause: 'it describes shapes, no data' }),
    handler: async () => ofStaff,
  })
  mountRuntimeConfig(app, options)
  await serveSpa(app, {
    dist: distOf('console'),
    pages: consolePages,
    connect: consoleOrigins,
    config: () => runtimeConfigOf(options),
    scanner: false,
    moved: { from: config.formerUrls.map((url) => new URL(url).host), to: config.publicUrl },
  })
  return app
}

/** The wallet's pages, on an origin of their own: what runs there holds keys. */
export async function createWalletApp(options: AppOptions): Promise<FastifyInstance> {
  const app = await createOperationsApp(options)
  mountRuntimeConfig(app, options)
  // A sign request names where the wallet sends the signature; that may be any server.
  await serveSpa(app, { dist: distOf('wallet'), pages: walletPages, connect: ['http:', 'https:'], scanner: true })
  return app
}

/** Health, readiness and metrics alone, for processes without the api role. */
export async function createOperationsApp(options: AppOptions, takeScarce?: TakeScarce): Promise<FastifyInstance> {
  const { config, log, operations } = options
  const app = await createHttpServer({ config, log, metrics: operations.metrics, takeScarce })
  mountOperations(app, operations)
  return app
}

function mountRuntimeConfig(app: FastifyInstance, options: AppOptions & Partial<ApiOptions>): void {
  app.route({
    ...defineEndpoint({ method: 'GET', url: '/config.json', openBecause: 'a page needs it before anybody signs in' }),
    async handler(_, reply) {
      reply.header('cache-control', 'no-store')
      return runtimeConfigOf(options)
    },
  })
}

/** The wallet's has no outbox: its origin is another. */
function runtimeConfigOf({ config, clock, isOutboxShown = false }: AppOptions & Partial<ApiOptions>): RuntimeConfig {
  return {
    product: config.product,
    version: describeBuild(currentBuild()),
    wallet: config.walletName,
    hosts: { global: config.publicUrl, china: config.chinaUrl },
    walletUrl: config.walletUrl,
    formerWalletUrls: config.formerWalletUrls,
    requireMatchNumber: config.requireMatchNumber,
    outbox: isOutboxShown,
    // Those that the operator names.
    links: Object.fromEntries(Object.entries(config.links ?? {}).filter(([, href]) => href !== undefined)),
    now: clock.now().getTime(),
  }
}
