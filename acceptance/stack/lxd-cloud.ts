/** A server whose one cloud is an LXD of the test's own, and visitors of what runs there. */
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  chooseServerPorts,
  type LxdCluster,
  type LxdServer,
  type ServerProcess,
  type StartServerOptions,
  startServer,
} from '@atoll/testkit'

const lxdCloud = 'reef'

interface LxdAccess {
  /** Of the test, for the catalogue. */
  folder: string
  /** This machine's address as containers reach it. */
  hostAddress: string
  settings: Record<string, unknown>
  regions: { regionId: string; members?: string[] }[]
}

export function singleAccess(lxd: LxdServer): LxdAccess {
  const settings = { endpoints: [lxd.daemon.socket], network: lxd.network }
  return { folder: lxd.folder, hostAddress: lxd.hostAddress, settings, regions: [{ regionId: 'north' }] }
}

export function clusterAccess(lxd: LxdCluster, regions: LxdAccess['regions']): LxdAccess {
  const { endpoints, clientCert, clientKey, serverCert, bridge, folder, hostAddress } = lxd
  return { folder, hostAddress, settings: { endpoints, clientCert, clientKey, serverCert, bridge }, regions }
}

/** A server that sells what `lxd` runs, in sizes of 1 and 2 cores. */
export async function startLxdServerProcess(lxd: LxdAccess, options: StartServerOptions = {}): Promise<ServerProcess> {
  const ports = await chooseServerPorts()
  const catalog = join(lxd.folder, `catalog-${ports.console}.yaml`)
  // JSON is YAML.
  writeFileSync(catalog, JSON.stringify(catalogOf(lxd)))
  return await startServer({
    ...options,
    ports,
    env: {
      ATOLL_HOST: '0.0.0.0',
      ATOLL_CATALOG: catalog,
      ATOLL_CONTROL_URL: `http://${lxd.hostAddress}:${ports.console}`,
      ...options.env,
    },
  })
}

function catalogOf({ settings, regions }: LxdAccess): object {
  const size = (cores: number) => ({
    name: `reef-${cores}`,
    title: `Reef ${cores}`,
    cpuCoreCount: cores,
    memoryMiB: 256 * cores,
    diskMiB: 2048,
    price: { amount: 0, currency: 'usd' },
  })
  return {
    clouds: [
      {
        cloudName: lxdCloud,
        driver: 'lxd',
        lxd: settings,
        title: 'Reef',
        regions: regions.map((region) => ({ ...region, title: region.regionId, place: region.regionId })),
        offerings: [size(1), size(2)],
      },
    ],
    versions: [
      {
        version: '1.0.0',
        title: 'Atoll 1.0.0',
        summary: 'All of it',
        recommended: true,
        image: 'agent',
        steps: ['prepare', 'fetch', 'services', 'network', 'handover'],
      },
    ],
  }
}

/** Asks the edge for a cluster's address, whose name does not resolve on a test machine; JSON both ways. */
export async function visit(
  server: { ports: Pick<ServerProcess['ports'], 'edge'> },
  clusterUrl: string,
  { method = 'GET', path, body, cookie }: { method?: string; path: string; body?: object; cookie?: string },
): Promise<{ status: number; json: unknown; text: string; cookie: string }> {
  const { host } = new URL(clusterUrl)
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .request({
        host: '127.0.0.1',
        port: server.ports.edge,
        agent: false,
        method,
        path,
        headers: { host, ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
      })
      .once('response', resolve)
      .once('error', reject)
      .end(body && JSON.stringify(body))
  })
  const status = answer.statusCode ?? 0
  const said = await text(answer)
  return {
    status,
    json: answer.headers['content-type']?.includes('json') ? JSON.parse(said) : undefined,
    text: said,
    cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  }
}
