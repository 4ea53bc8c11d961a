/**
 * The boundaries of the architecture (docs/architecture.md), as rules over imports. Each rule has a name, a sentence
 * and a function that answers whether an import breaks it; `boundaries.test.ts` shows one violation of each.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Import, importedFrom, resolveImport } from './imports.ts'
import { findClimbing } from './layers.ts'

interface Rule {
  name: string
  sentence: string
  breaks(imported: Import): boolean
}

const server = 'apps/server/src/'
const modulesFolder = `${server}modules/`
/** Programs of their own, each put together from what it needs. */
const operatorFolder = `${server}operator/`
const frontEnds = ['apps/console/src/', 'apps/wallet/src/', 'apps/agent/web/src/']
/** The texts of each front end; those of no surface are for all. */
const surfaces: Readonly<Record<string, string>> = {
  'apps/console/src/': 'console',
  'apps/wallet/src/': 'wallet',
  'apps/agent/web/src/': 'personal-server',
}
const consoleFolder = 'apps/console/src/'
const isOurs = (target: string) => /^(apps|packages|scripts|release|acceptance|bench)\//.test(target)
const isSurface = (name = '') => ['mail', 'documents', ...Object.values(surfaces)].includes(name)
const isTest = (file: string) => /\.(test|fixture)\.tsx?$|\/testing\//.test(file)
const workspaceOf = (path: string) => /^(apps|packages)\/[\w-]+\//.exec(path)?.[0]
const moduleOf = (path: string) =>
  path.startsWith(modulesFolder) ? path.slice(modulesFolder.length).split('/')[0] : undefined

const pureLibraries = /^(zod|jose|did-resolver|micro-key-producer|@scure\/[\w-]+|@noble\/[\w-]+)(\/|$)/
/** Clients of one vendor's service. */
const vendorLibraries = /^(stripe|nodemailer|aws4fetch|@aws-sdk\/[\w-]+)(\/|$)/
const routerAndQueries = /^@tanstack\//

export const rules: readonly Rule[] = [
  {
    name: 'packages-know-no-app',
    sentence: 'packages never import apps',
    breaks: ({ file, target }) => file.startsWith('packages/') && target.startsWith('apps/'),
  },
  {
    name: 'pure-packages',
    sentence: 'contract, did, money and statement import only a schema or cryptography library',
    breaks: ({ file, target }) =>
      /^packages\/(contract|did|money|statement)\/src\//.test(file) &&
      !isTest(file) &&
      !pureLibraries.test(target) &&
      !/^packages\/(contract|did|money|statement)\//.test(target),
  },
  {
    name: 'ui-presents',
    sentence: 'packages/ui has no router and no queries',
    breaks: ({ file, target }) => file.startsWith('packages/ui/') && routerAndQueries.test(target),
  },
  {
    name: 'workspace-by-name',
    sentence: 'a workspace is imported by its name, not by a path into it',
    breaks: ({ file, target }) => {
      const [from, to] = [workspaceOf(file), workspaceOf(target)]
      return from !== undefined && to !== undefined && from !== to && to.startsWith('apps/')
    },
  },
  {
    name: 'module-face',
    sentence: "a module reaches another only through the other's index.ts",
    breaks: ({ file, target }) => {
      const [from, to] = [moduleOf(file), moduleOf(target)]
      // A test may build another module's inner part, to break it.
      if (from === undefined || to === undefined || from === to || isTest(file)) return false
      return target !== `${modulesFolder}${to}/index.ts`
    },
  },
  {
    name: 'platform-below',
    sentence: 'platform knows no module, no HTTP and no start',
    breaks: ({ file, target }) =>
      file.startsWith(`${server}platform/`) && target.startsWith(server) && !target.startsWith(`${server}platform/`),
  },
  {
    name: 'services-know-no-http',
    sentence: 'in a module only its face, its routes, its plugins and what serves pages know of http',
    breaks: ({ file, target }) =>
      file.startsWith(modulesFolder) &&
      !isTest(file) &&
      target.startsWith(`${server}http/`) &&
      !/\/(routes|edge)\/|\/index\.ts$|-(plugin|page)\.ts$/.test(file),
  },
  {
    name: 'composition-builds',
    sentence:
      "outside the modules only composition/ and the operator's commands import a module, and config.ts its settings",
    breaks: ({ file, target }) =>
      file.startsWith(server) &&
      !isTest(file) &&
      moduleOf(file) === undefined &&
      moduleOf(target) !== undefined &&
      !file.startsWith(`${server}composition/`) &&
      !(file === `${server}config.ts` && target.endsWith('/settings.ts')) &&
      !file.startsWith(operatorFolder),
  },
  {
    name: 'operator-face',
    sentence: "an operator's command reaches a module only through its index.ts",
    breaks: ({ file, target }) => {
      const to = moduleOf(target)
      return (
        file.startsWith(operatorFolder) &&
        !isTest(file) &&
        to !== undefined &&
        target !== `${modulesFolder}${to}/index.ts`
      )
    },
  },
  {
    name: 'composition-last',
    sentence: 'modules, http and platform never import composition, config, start, main or an operator command',
    breaks: ({ file, target }) =>
      /^apps\/server\/src\/(modules|http|platform)\//.test(file) &&
      (/^apps\/server\/src\/(composition\/|main\.ts|start\/|operator\/)/.test(target) ||
        (target === `${server}config.ts` && !isTest(file))),
  },
  {
    name: 'vendors-in-drivers',
    sentence: "a vendor's SDK is imported only under drivers/",
    breaks: ({ file, target }) =>
      vendorLibraries.test(target) && file.startsWith(server) && !file.includes('/drivers/'),
  },
  {
    name: 'front-ends-use-packages',
    sentence: 'front ends import only packages, and nothing of Node',
    breaks: ({ file, target }) => {
      const own = frontEnds.find((folder) => file.startsWith(folder))
      if (own === undefined || isTest(file)) return false
      return (
        target.startsWith('node:') || (isOurs(target) && !target.startsWith('packages/') && !target.startsWith(own))
      )
    },
  },
  {
    name: 'own-texts',
    sentence: 'a front end imports the texts of its own surface and the shared ones only',
    breaks: ({ file, target }) => {
      const own = surfaces[frontEnds.find((folder) => file.startsWith(folder)) ?? '']
      const surface = /^packages\/texts\/(?:src\/|[a-z]{2}-[A-Z]{2}\/)?([\w-]+)/.exec(target)?.[1]
      return own !== undefined && surface !== own && isSurface(surface) && !isTest(file)
    },
  },
  {
    name: 'shell-knows-no-page',
    sentence: 'the shell of the console imports no page, but for the one that covers a locked page',
    breaks: ({ file, target }) =>
      file.startsWith(`${consoleFolder}app/shell/`) &&
      target.endsWith('Page.tsx') &&
      target !== `${consoleFolder}signin/LockedPage.tsx`,
  },
  {
    name: 'testkit-in-tests',
    sentence: 'testkit is imported only by tests',
    breaks: ({ file, target }) =>
      target.startsWith('packages/testkit/') &&
      /^(apps|packages)\//.test(file) &&
      !file.startsWith('packages/testkit/') &&
      !isTest(file),
  },
]

/** The rules that one import breaks. */
export function brokenRules(imported: Import): Rule[] {
  return rules.filter((rule) => rule.breaks(imported))
}

/** Every import under `root` that breaks a rule, and every one that climbs, as a line for a person. */
export function findBoundaryViolations(root: string): string[] {
  const files = globSync('{apps,packages,scripts,release,acceptance,bench}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|dist\.next|\.tanstack)$/.test(path),
  })
  const imports = files.sort().flatMap((path) => {
    const file = path.replaceAll('\\', '/')
    return importedFrom(readFileSync(join(root, file), 'utf8')).map((specifier) => ({
      file,
      target: resolveImport(file, specifier),
    }))
  })
  const broken = imports.flatMap((imported) =>
    brokenRules(imported).map(
      ({ name, sentence }) => `${imported.file}: "${imported.target}" breaks ${name}: ${sentence}`,
    ),
  )
  return [...broken, ...findClimbing(imports)]
}
