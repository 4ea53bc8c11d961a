/**
 * The order of the folders inside a module, the lowest first: a folder imports only from those before it. `<` parts the
 * layers, `|` the folders of one layer, which do not import each other. `.` are the files beside the folders, but for
 * `index.ts` and `settings.ts`, which belong to the whole; `*` every folder that is not named. A folder with more than
 * one of these inside, at any depth of a module, of the agent and of the console, has an order.
 */
import { dirname } from 'node:path'
import type { Import } from './imports.ts'

const modules = 'apps/server/src/modules'

export const layers: Readonly<Record<string, string>> = {
  'apps/agent/src':
    'kernel < launch < update | drive < link < activation | install | backup | observe | tasks < http < dav < network < app < .',
  'apps/agent/src/backup': 'manifest | repository < browse | replace < .',
  'apps/agent/src/install': '. < steps',
  'apps/console/src':
    'config | locales < session < data < kit < profile < billing | devices | help | language-list | signin < ' +
    'account-list | backups | domains < clusters < news < activity | alerts | announcements | home | suspended | usage < ' +
    'operator < app',
  'apps/console/src/app': 'early | not-found | page-failure | places < account-menu | palette < shell < routes < .',
  'apps/console/src/app/routes': '*',
  'apps/console/src/app/shell': 'bars | notices < .',
  'apps/console/src/app/routes/_bare': '*',
  'apps/console/src/app/routes/_main': '*',
  'apps/console/src/backups': '. < dialogs < detail | list < files',
  'apps/console/src/billing': 'shared < balance | bill | overview | payment | subscription < sandbox',
  'apps/console/src/billing/overview': 'card < balance | cap | forecast | invoices | methods | plan < next | usage < .',
  'apps/console/src/billing/shared': '. < ask-email < pay-with',
  'apps/console/src/clusters':
    '. | frame | offers | self-host < card | order | restore < ' +
    'activation | create | install | monitoring | network | paid | workloads < actions | operations < ' +
    'instance-table < all-instances | page',
  'apps/console/src/clusters/card': '. | figures < usage',
  'apps/console/src/clusters/create': '. < summary < steps < review < wizard',
  'apps/console/src/clusters/monitoring': 'chart < alerts < .',
  'apps/console/src/clusters/page': 'access < .',
  'apps/console/src/data': '. < live',
  'apps/console/src/domains': '. < dialogs | members < detail | list',
  'apps/console/src/billing/payment': 'invoice < .',
  'apps/console/src/domains/detail': 'dns-check < .',
  'apps/console/src/kit':
    'browser | files | form | format | menu | site | toast < figures | page < dialog | table < confirm',
  'apps/console/src/operator':
    'approve < parts < announcements | capacity | customers | staff | system < abuse | clusters | money | overview < ' +
    'versions < area',
  'apps/server/src/http': 'rates < request < pages < operations < .',
  'apps/server/src/operator': '. < admin | books | deployment | recovery',
  'apps/server/src/operator/deployment': 'setup | upgrade < .',
  'apps/server/src/platform':
    '. < archives | data-folder < db | settings < attention | careful | drivers | facts | leases | operations | ' +
    'paging | rates < jobs < chain | events | heartbeat | reconcile | requests | sources | strays < keys',
  'apps/server/src/platform/db': 'connection | migrations | move-rows < embedded',
  [`${modules}/abuse`]: '. < routes',
  [`${modules}/accounts`]: 'stores < avatar | email < . < routes | jobs | unsubscribe',
  [`${modules}/agents`]: 'boots < . < tasks < enroll < routes | hosts < jobs | channel',
  [`${modules}/announcements`]: '. < routes | status',
  [`${modules}/audit`]: '. < routes < jobs',
  [`${modules}/backups`]: 'clients < . < rules < records < reconcile < views < commands < routes',
  [`${modules}/backups/clients`]: '. < drivers',
  [`${modules}/billing`]:
    '. < schedule < records < pricing < views < invoice-files | mails < pay < sell | usage < ' +
    'renewals < due < operator < books < routes',
  [`${modules}/billing/pay`]: 'credit < . < bills | movements < attempts',
  [`${modules}/billing/pricing`]: '. < coupons',
  [`${modules}/billing/records`]: 'documents < .',
  [`${modules}/billing/usage`]: '. < days | notices',
  [`${modules}/billing/views`]: 'lines < . | statement',
  [`${modules}/certificates`]: 'acme < stores < . < lifecycle < serving',
  [`${modules}/clusters`]:
    '. < lifecycle | network < operations | decide < instances < capacity < views < events < sweep < ' +
    'reconcile | commands | intake | drills < drains < routes',
  [`${modules}/clusters/commands`]: '. < orders < machines',
  [`${modules}/clusters/views`]: 'figures < .',
  [`${modules}/compute`]: 'provider < drivers < .',
  [`${modules}/compute/drivers`]: 'self-host < process < lxd',
  [`${modules}/credentials`]: 'stores < .',
  [`${modules}/dns`]: 'zones < serving < powerdns | lookups',
  [`${modules}/doctor`]: '. < checks',
  [`${modules}/domains`]: '. < names < records < lifecycle < hosts | wallet < members < transfers < claims < routes',
  [`${modules}/edge`]: 'limits | traffic < forward < http2 | pages < .',
  [`${modules}/ledger`]: '. < jobs',
  [`${modules}/mail`]: 'drivers | templates < . < jobs',
  [`${modules}/mail/drivers`]: '. < outbox | smtp',
  [`${modules}/news`]: '. < routes',
  [`${modules}/observe`]: '. < samples < postgres < traffic < alerts < scrape < routes < jobs',
  [`${modules}/payments`]: 'gateway < drivers < . < cards < routes < jobs',
  [`${modules}/payments/drivers`]: '*',
  [`${modules}/self-backup`]: '. < jobs',
  [`${modules}/rights`]: 'stores < . < jobs | routes',
  [`${modules}/rollouts`]: '. < routes',
  [`${modules}/staff`]:
    'stores < clusters | customers | holds | money | system < overview < acts < approvals < jobs | routes',
  [`${modules}/usage`]: 'readings < limits < import',
  [`${modules}/vault`]: '. < records < drivers | guards < maintenance < listener',
  [`${modules}/vault/drivers`]: 'folder | s3 < .',
}

/** Where every folder needs an order. */
const covered = /^apps\/(server\/src\/(http|platform|modules\/[\w-]+)|agent\/src|console\/src)(?=\/)/

const isTest = (file: string) => /\.(test|fixture)\.tsx?$|\/testing\//.test(file)

/** The folder of `parent` that a file lies in; undefined: outside, or one of the two files that belong to the whole. */
function folderIn(parent: string, file: string): string | undefined {
  if (!file.startsWith(`${parent}/`)) return undefined
  const [first = '', ...rest] = file.slice(parent.length + 1).split('/')
  if (rest.length > 0) return first
  return /^(index|settings)\.tsx?$/.test(first) ? undefined : '.'
}

/** Imports that climb, folders that an order lacks, and orders that name a folder that is not there, as lines. */
export function findClimbing(imports: readonly Import[], orders: Readonly<Record<string, string>> = layers): string[] {
  const paths = new Set(imports.flatMap(({ file, target }) => [file, target]))
  const files = [...paths].filter((path) => /\.tsx?$/.test(path) && !isTest(path))
  const lines = Object.entries(orders).flatMap(([parent, order]) => {
    const ranks = new Map(
      order.split('<').flatMap((layer, rank) => layer.split('|').map((folder) => [folder.trim(), rank] as const)),
    )
    const rankOf = (folder: string) => ranks.get(folder) ?? ranks.get('*')
    const there = new Set(files.map((file) => folderIn(parent, file)).filter((folder) => folder !== undefined))
    return [
      ...[...there]
        .filter((folder) => rankOf(folder) === undefined)
        .map((folder) => `${parent}: its order lacks ${folder}`),
      ...[...ranks.keys()]
        .filter((folder) => folder !== '*' && !there.has(folder))
        .map((folder) => `${parent}: ${folder} is not there`),
      ...imports.flatMap(({ file, target }) => {
        const [from, to] = [folderIn(parent, file), folderIn(parent, target)]
        if (from === undefined || to === undefined || from === to || isTest(file)) return []
        return (rankOf(to) ?? 0) < (rankOf(from) ?? 0) ? [] : [`${file}: "${target}" climbs in ${order}`]
      }),
    ]
  })
  return [...lines, ...foldersWithoutOrder(files, orders)]
}

function foldersWithoutOrder(files: readonly string[], orders: Readonly<Record<string, string>>): string[] {
  const inside = new Map<string, Set<string>>()
  for (const file of files) {
    const root = covered.exec(file)?.[0]
    for (let parent = dirname(file); root && parent.length >= root.length; parent = dirname(parent)) {
      const folder = folderIn(parent, file)
      if (folder) inside.set(parent, (inside.get(parent) ?? new Set()).add(folder))
    }
  }
  return [...inside]
    .filter(([parent, folders]) => folders.size > 1 && !(parent in orders))
    .map(([parent]) => `${parent}: scripts/checks/layers.ts names no order of its folders`)
}
