import { requireConditions } from '../http/preconditions.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { type Dav, type DavExchange, readXml, sendMultistatus } from './dav-exchange.ts'
import { liveNames, multistatus, propstat, response, writeName } from './dav-properties.ts'
import { childOf, childrenOf, dav, malformed, writeXml, type XmlElement } from './dav-xml.ts'
import type { PropertyChange } from './dead-properties.ts'

/** Most properties that one request changes. */
const mostChanges = 200

/** PROPPATCH: all changes or none. Properties that the server computes cannot be changed. */
export async function patchProperties(
  { drive, locks, dead }: Dav,
  { req, res, path, tokens }: DavExchange,
): Promise<void> {
  const changes = readChanges(await readXml(req))
  const { entry, identity, stamp } = await drive.look(path)
  requireConditions(req.headers, stamp)
  locks.require(path, { tokens })
  const isLive = ({ namespace, name }: PropertyChange) => namespace === dav && liveNames.some((live) => live === name)
  const refused = changes.filter(isLive)
  if (refused.length === 0) await dead.change(identity, changes)
  const others = changes.filter((change) => !isLive(change)).map(writeName)
  sendMultistatus(res)
  const parts = [propstat(403, refused.map(writeName)), propstat(refused.length > 0 ? 424 : 200, others)].join('')
  res.end(response({ path, entry }, parts) + multistatus.end)
}

function readChanges(body: XmlElement | undefined): PropertyChange[] {
  if (body?.namespace !== dav || body.name !== 'propertyupdate') throw malformed()
  const changes = childrenOf(body).flatMap((update): PropertyChange[] => {
    const prop = childOf(update, 'prop')
    if (update.namespace !== dav || !prop || (update.name !== 'set' && update.name !== 'remove')) return []
    return childrenOf(prop).map((one) => ({
      namespace: one.namespace,
      name: one.name,
      xml: update.name === 'set' ? writeXml(one) : undefined,
    }))
  })
  if (changes.length === 0) throw malformed()
  if (changes.length > mostChanges) throw new HttpProblem(413, 'tooLarge', 'These are too many properties.')
  return changes
}
