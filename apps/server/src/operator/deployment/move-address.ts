/**
 * `atollctl move-address`: who still uses an earlier address of this deployment. It changes and switches off nothing:
 * that is for the operator, once nobody is left there.
 */
import { countDialed } from '../../modules/agents/index.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'
import { isLeftBehind } from './is-left-behind.ts'

const verb = {
  verb: 'move-address',
  script: 'move-address',
  text: `Counts the agents by the name under which each last called, and says which names are earlier ones. It switches nothing off:
take an earlier name away once nobody is left there. Browsers are led from earlier names of the console for as long as those are in DNS.`,
  codes: 'no agent is left at an earlier name; 1 some are, or may be; 2 it could not be looked at.',
}

await runVerb(verb, async ({ config, log }) => {
  const { counted, catalog } = await withOperatorDatabase(config, log, async ({ db }) => ({
    counted: await countDialed(db),
    catalog: await readCatalogInUse(db, config),
  }))
  const urls = [config.controlUrl, config.enrollUrl, ...catalog.clouds.flatMap(({ lxd }) => lxd?.controlUrl ?? [])]
  const inUse = new Set(urls.map((url) => new URL(url).host))
  const agents = counted.map((one) => ({ ...one, isLeft: isLeftBehind(one, inUse) }))
  const left = agents.filter(({ isLeft }) => isLeft)
  return {
    code: left.length === 0 ? 0 : 1,
    data: { console: config.publicUrl, earlier: config.formerUrls, agentsDial: [...inUse], agents },
    lines: [
      `The console is ${config.publicUrl}${config.formerUrls.length === 0 ? '' : `; earlier: ${config.formerUrls.join(', ')}`}.`,
      `Agents are to call ${[...inUse].join(', ')}.`,
      ...agents.map(({ host, connected, away, awaySince, isLeft }) => {
        const since = awaySince === null ? '' : `, one since ${awaySince.toISOString()}`
        const name = host === null ? 'a name that is not known yet' : isLeft ? `${host} (an earlier name)` : host
        return `  ${name}: ${connected} connected, ${away} away${since}`
      }),
      left.length === 0
        ? 'Nobody is left at an earlier name.'
        : 'Keep the earlier names: agents are left there, or may be.',
    ],
  }
})
