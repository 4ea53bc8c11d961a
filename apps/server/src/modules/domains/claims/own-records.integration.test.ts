/** The owner's own records in a zone: copied when an apex is handed over, then added and removed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { stepsIn } from '../testing/domain-steps.ts'
import { changeMethod, removeDomain, restartDomain, setRule } from './domain-service.ts'
import { addOwnRecord, removeOwnRecord } from './own-records.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

test('an apex keeps its mail from the delegation on, beside the hosts later, and loses it with the claim', async () => {
  const steps = stepsIn(harness)
  const caller = await harness.createCaller()
  const domain = 'reef.example'
  const { id } = await steps.proven(caller, domain, 'cname')
  const served = () => harness.dns.zones.get(domain)?.map(({ type, name, value }) => `${name} ${type} ${value}`)
  await expect(
    addOwnRecord(harness.deps, caller, { domain, type: 'MX', name: '@', value: '10 mail.example' }),
  ).rejects.toMatchObject({ key: 'ownRecordsElsewhere' })
  const records = [
    { type: 'MX', name: domain, value: '10 mail.example' },
    { type: 'CAA', name: '@', value: '0 issuewild "other.example"' },
    { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' },
  ] as const
  await changeMethod(harness.deps, caller, { domain, method: 'ns', confirm: domain, records: [...records] })
  const copied = [
    'reef.example CAA 0 issuewild "other.example"',
    'reef.example MX 10 mail.example',
    '_dmarc.reef.example TXT v=DMARC1; p=none',
  ]
  expect(served()?.toSorted()).toEqual(copied.toSorted())

  const key = { domain, type: 'CNAME', name: 'key1._domainkey', value: 'key1.mail.example.' } as const
  await addOwnRecord(harness.deps, caller, key)
  expect(served()).toContain('key1._domainkey.reef.example CNAME key1.mail.example')
  await expect(addOwnRecord(harness.deps, caller, { ...key, type: 'TXT' })).rejects.toMatchObject({
    key: 'ownRecordAlias',
  })
  expect(await removeOwnRecord(harness.deps, caller, key)).toHaveLength(3)
  expect(await removeOwnRecord(harness.deps, caller, key)).toHaveLength(3)

  harness.deps.certificates.listRecords = async () => [{ name: domain, type: 'CAA', value: '0 issue "ca.example"' }]
  await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', id).execute()
  await setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  expect(served()?.toSorted()).toEqual(
    [
      ...copied,
      'reef.example A 192.0.2.1',
      'reef.example CAA 0 issue "ca.example"',
      // Their CAA would forbid our authority the wildcard.
      'reef.example CAA 0 issuewild "ca.example"',
    ].toSorted(),
  )
  expect((await steps.shown(caller, domain)).zone?.records).toContainEqual({
    type: 'MX',
    name: domain,
    values: ['10 mail.example'],
  })
  expect(await steps.recorded(id)).toEqual(expect.arrayContaining(['domain.addRecord', 'domain.removeRecord']))
  await removeDomain(harness.deps, caller, { domain })
  expect(await harness.db.selectFrom('domain_records').selectAll().execute()).toEqual([])
})

test('a domain whose owner takes a move back keeps the records at names that nobody can list', async () => {
  const steps = stepsIn(harness)
  const caller = await harness.createCaller()
  const { domain } = await steps.linked(caller)
  const key = { domain, type: 'TXT', name: 'key1._domainkey', value: 'v=DKIM1; p=k' } as const
  for (const record of [key, { ...key, type: 'MX', name: '@', value: '10 old.example' } as const])
    await addOwnRecord(harness.deps, caller, record)
  await changeMethod(harness.deps, caller, { domain, method: 'cname' })
  const records = [{ type: 'MX', name: '@', value: '10 new.example' } as const]
  await changeMethod(harness.deps, caller, { domain, method: 'ns', records })
  expect((await steps.shown(caller, domain)).ownRecords).toEqual([
    { type: 'MX', name: domain, value: '10 new.example' },
    { type: 'TXT', name: `key1._domainkey.${domain}`, value: 'v=DKIM1; p=k' },
  ])
  await removeDomain(harness.deps, caller, { domain, confirm: domain })
})

test('a domain that is removed after it was started over leaves no record of its owner', async () => {
  const steps = stepsIn(harness)
  const caller = await harness.createCaller()
  const { domain } = await steps.proven(caller)
  await addOwnRecord(harness.deps, caller, { domain, type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' })
  await restartDomain(harness.deps, caller, domain)
  await removeDomain(harness.deps, caller, { domain })
  expect(await harness.db.selectFrom('domain_records').selectAll().execute()).toEqual([])
})
