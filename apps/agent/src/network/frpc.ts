/** The configuration of frpc, which connects this machine to the operator's frps. */
import { join } from 'node:path'
import type { ProxyConfig } from '@atoll/contract/agents'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import type { Enrolled } from '../link/enroll.ts'
import type { TunnelProgram } from './tunnel-program.ts'

type FrpProxy = Extract<ProxyConfig, { kind: 'frp' }>

/** Writes `frpc.toml`, readable by this user only: it holds this instance's token. */
export async function prepareFrpc(
  proxy: FrpProxy,
  { folder, enrolled, port }: { folder: string; enrolled: Enrolled; port: number },
): Promise<TunnelProgram> {
  const path = join(folder, 'frpc.toml')
  await writeFileAtomic(path, renderFrpcConfig(proxy, enrolled.instanceId, port))
  return {
    name: 'frpc',
    arguments: ['-c', path],
    connectedLine: /start proxy success/i,
    refusedLine: /login to the server failed|start error/i,
  }
}

/**
 * frpc.toml of frp 0.52 and newer. `user` and `metadatas` go to the server plugin, which knows this instance by them.
 */
function renderFrpcConfig(proxy: FrpProxy, instanceId: string, port: number): string {
  const text = (value: string) => JSON.stringify(value) // a TOML basic string has JSON's escapes
  return [
    `serverAddr = ${text(proxy.serverAddr)}`,
    `serverPort = ${proxy.serverPort}`,
    `user = ${text(instanceId)}`,
    `metadatas.token = ${text(proxy.token)}`,
    ...(proxy.authToken === undefined ? [] : ['auth.method = "token"', `auth.token = ${text(proxy.authToken)}`]),
    'loginFailExit = false',
    'log.to = "console"',
    'log.disablePrintColor = true',
    '',
    '[[proxies]]',
    'name = "web"',
    'type = "http"',
    'localIP = "127.0.0.1"',
    `localPort = ${port}`,
    `subdomain = ${text(proxy.subdomain)}`,
    '',
  ].join('\n')
}
