/**
 * `atollctl move-address`: who still uses an earlier address of this deployment. It changes and switches off nothing:
 * that is for the operator, once nobody is left there.
 */
import { countDialed } from '../../modules/agents/index.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'move-address',
  script: 'move-address',
  text: `Counts the agents by the name under which each last called, and says which names are earlier ones. It switches nothing off:
take an earlier name away once nobody is left there. Browsers are led from earlier names of the console for as long as those are in DNS.`,
  codes: 'no agent is left at an earlier name; 1 some are; 2 it could not be looked at.',
}

await runVerb(verb, async ({ config, log }) => {
  const { counted, catalog } = await withOperatorDatabase(config, log, async ({ db }) => ({
    counted: await countDialed(db),
    catalog: await readCatalogInUse(db, config),
  }))
  const urls = [config.controlUrl, config.enrollUrl, ...catalog.clouds.flatMap(({ lxd }) => lxd?.controlUrl ?? [])]
  const inUse = new Set(urls.map((url) => new URL(url).host))
  const agents = counted.map((one) => ({ ...one, isEarlier: one.host !== null && !inUse.has(one.host) }))
  const left = agents.filter(({ isEarlier }) => isEarlier)
  return {
    code: left.length === 0 ? 0 : 1,
    data: { console: config.publicUrl, earlier: config.formerUrls, agentsDial: [...inUse], agents },
    lines: [
      `The console is ${config.publicUrl}${config.formerUrls.length === 0 ? '' : `; earlier: ${config.formerUrls.join(', ')}`}.`,
      `Agents are to call ${[...inUse].join(', ')}.`,
      ...agents.map(({ host, connected, away, awaySince, isEarlier }) => {
        const since = awaySince === null ? '' : `, one since ${awaySince.toISOString()}`
        return `  ${host ?? 'not called yet'}${isEarlier ? ' (an earlier name)' : ''}: ${connected} connected, ${away} away${since}`
      }),
      left.length === 0 ? 'Nobody is left at an earlier name.' : 'Keep the earlier names: agents are left there.',
    ],
  }
})
