/**
 * Backups in a real browser: an owner makes one with a password of their own, sees it run, and has its files back in a
 * new folder, one alone where it was, with restic alone, and on a new cluster, with the real agent, restic and vault
 * behind the pages.
 */
import { execFile, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { agentBackupGrant, agentBackups } from '@atoll/contract/agents'
import { backupDetail, backupList } from '@atoll/contract/backups'
import { clusterActivation, createCluster, destroyMaster } from '@atoll/contract/clusters'
import type { ActivationBegun } from '@atoll/contract/personal-server'
import { until } from '@atoll/testkit'
import type { Request } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { backUp, needRestic } from '../stack/backups.ts'
import { desktop, keepPicture, phone } from '../stack/browser.ts'
import { composeOrder, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { type ConsoleTab, openTab } from '../stack/console-tab.ts'
import { visit } from '../stack/lxd-cloud.ts'
import { createPerson } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true, env: async () => ({ RESTIC: await needRestic() }) })

const password = 'quiet lagoons at low tide'

/** As it is, as hex, and as base64 wherever in a longer text it lies. */
function formsOf(text: string): string[] {
  const shifted = [0, 1, 2].map((by) => Buffer.concat([Buffer.alloc(by), Buffer.from(text)]))
  // The first and last characters depend on the bytes beside the text.
  return [text, Buffer.from(text).toString('hex'), ...shifted.map((bytes) => bytes.toString('base64').slice(4, -4))]
}

/** Arguments and environments of all processes that we may read. */
function readProcesses(): string {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return '' // ended, or another's
    }
  }
  return pids.flatMap((pid) => [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)]).join('\n')
}

/** The folder of the files of an instance. */
function findDrive(instanceId: string): string {
  const all = readdirSync(join(stack.server.dataDir, 'homes'), { recursive: true, encoding: 'utf8' })
  const drive = all.find((path) => path.includes(instanceId) && path.endsWith('/drive'))
  if (drive === undefined) throw new Error(`the instance ${instanceId} has no drive`)
  return join(stack.server.dataDir, 'homes', drive)
}

/** A test of the file that calls it: a backup and its restore on the same cluster. */
export function testBackup(): void {
  it('makes a backup, shows it run, and brings the files back into a new folder', async () => {
    const { api, session, wallet } = await createPerson(stack.server.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Rangiroa' }))
    const { instanceId, url } = await waitForStatus(api, clusterId, ['inactivated', 'running'])
    const drive = findDrive(instanceId)
    writeFileSync(join(drive, 'reef.txt'), 'Here be corals')

    const tab = await openTab(stack.browser, stack.server.url, { viewport: desktop, accounts: [session] })
    const { page, app } = tab
    const sent: string[] = []
    page.on('request', (request) => {
      const text = `${request.url()} ${request.postData()}`
      // As it is sent, and as a form is read.
      sent.push(text, unescape(text.replaceAll('+', ' ')))
    })
    await page.goto('/backup')
    await app.button(app.t('backups.new')).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(app.t('backups.name'), { exact: true }).fill('All my files')
    await app.button(app.t('backups.continue'), dialog).click()
    await dialog.getByLabel(app.t('backups.password'), { exact: true }).fill('short')
    await app.button(app.t('backups.create'), dialog).click()
    await dialog.getByText(app.t('backups.passwordShort_other', { count: 10 }), { exact: true }).waitFor()
    await dialog.getByLabel(app.t('backups.password'), { exact: true }).fill(password)
    await dialog.getByLabel(app.t('backups.passwordAgain'), { exact: true }).fill(password)
    await app.button(app.t('backups.create'), dialog).click()
    await dialog.getByText(app.t('backups.writtenMissing'), { exact: true }).waitFor()
    await dialog.getByLabel(app.t('backups.written'), { exact: true }).check()
    await dialog.getByLabel(app.t('backups.keepNarrow.yearly'), { exact: true }).fill('3')
    expect(await findBarriers(page)).toEqual([])
    await keepPicture(page, 'backup-password')
    const fingerprint = await dialog.locator('code').textContent()
    // Looked at instead of printed.
    await page.evaluate(`{
      const { append } = document.body
      document.body.append = (frame) => {
        append.call(document.body, frame)
        const view = frame.contentWindow
        view.print = () => { document.body.dataset.printed = view.document.body.textContent }
      }
    }`)
    await app.button(app.t('backups.sheetPrint'), dialog).click()
    await expect.poll(() => page.locator('body').getAttribute('data-printed')).toContain(password)
    await app.button(app.t('backups.create'), dialog).click()

    await app.heading('All my files').waitFor()
    const [made] = (await api.ask(backupList, {})).backups
    expect(made?.keep).toMatchObject({ daily: 30, yearly: 3 })
    const row = page.getByRole('row').filter({ hasText: app.t('backups.Fully') })
    await row.getByText(app.t('backups.completed'), { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await keepPicture(page, 'backup-completed')

    await row.getByText(app.t('backups.restore'), { exact: true }).click()
    await app.button(app.t('backups.restoreFolder'), page.getByRole('dialog')).click()
    await page.getByText(app.t('backups.restored_one', { count: 1, size: '14 B' }), { exact: false }).waitFor()
    const folder = await until('the new folder is there', async () =>
      readdirSync(drive).find((name) => name.startsWith('Restored ')),
    )
    const restored = readdirSync(join(drive, folder), { recursive: true, encoding: 'utf8' })
    const file = restored.find((path) => path.endsWith('reef.txt')) ?? ''
    expect(readFileSync(join(drive, folder, file), 'utf8')).toBe('Here be corals')
    await keepPicture(page, 'backup-restored')
    expect(tab.complaints).toEqual([])

    // The machine gets the list of its own backups, and may read them and nothing more; another machine gets nothing.
    const proof = { instanceId, agentToken: JSON.parse(readFileSync(join(drive, '../agent.json'), 'utf8')).token }
    const [{ backupId = '', snapshots = [] } = {}] = (await api.ask(agentBackups, proof)).backups
    expect(snapshots).toMatchObject([{ files: 1, bytes: 14 }])
    const { repository } = await api.ask(agentBackupGrant, { ...proof, backupId })
    const authorization = `Basic ${btoa(`${repository.grantId}:${repository.token}`)}`
    const reach = async (method: string, path: string) =>
      (await fetch(repository.url + path, { method, headers: { authorization } })).status
    expect(await reach('GET', `snapshots/${snapshots[0]?.snapshotId}`)).toBe(200)
    expect(await reach('POST', `data/${'0'.repeat(64)}`)).toBe(403)
    expect(await reach('DELETE', `snapshots/${snapshots[0]?.snapshotId}`)).toBe(403)
    const liar = { ...proof, agentToken: 'a'.repeat(43) }
    await expect(api.ask(agentBackups, liar)).rejects.toThrow()

    // Its owner browses the backup at the cluster's own address.
    const { password: oneTime } = await api.ask(clusterActivation, { clusterId })
    const post = (path: string, body: object) => visit(stack.server, url ?? '', { method: 'POST', path, body })
    const begun = (await post('/api/activation/begin', { password: oneTime })).json as ActivationBegun
    await post('/api/activation/approve', wallet.approval(wallet.read(begun.signRequest)))
    const finish = { ticket: begun.ticket, newPassword: 'coral and sand' }
    const { cookie } = await post('/api/activation/finish', finish)
    const get = (path: string) => visit(stack.server, url ?? '', { path, cookie })
    expect((await get('/api/backups')).json).toMatchObject({
      hasRestic: true,
      keyFingerprint: fingerprint,
      backups: [{ backupId, name: 'All my files', isLocked: false, snapshots }],
    })
    const at = `backup=${backupId}&snapshot=${snapshots[0]?.snapshotId}`
    const listed = await get(`/api/backups/list?${at}&path=/`)
    expect(listed.json).toMatchObject({ entries: [{ name: 'reef.txt', kind: 'file', size: 14 }], total: 1 })
    expect((await get(`/api/backups/file?${at}&path=/reef.txt`)).text).toBe('Here be corals')

    // No file of the server (log, mails, database) holds the password in any form; only the machine keeps it.
    const forms = formsOf(password)
    const search = ['-rlaiF', ...forms.flatMap((form) => ['-e', form]), stack.server.dataDir]
    const { stdout } = spawnSync('grep', search, { encoding: 'utf8' })
    const found = stdout.split('\n').filter((path) => path !== '')
    expect(found.filter((path) => !path.includes('/homes/'))).toEqual([])
    expect(found.some((path) => path.endsWith('passwords.json'))).toBe(true)
    const others = { log: stack.server.log.join('\n'), sent: sent.join('\n'), processes: readProcesses() }
    expect(others.sent).toContain('&box=')
    expect(others.processes).toContain(stack.server.dataDir)
    for (const [where, text] of Object.entries(others))
      for (const form of forms) expect([where, text.toLowerCase().includes(form.toLowerCase())]).toEqual([where, false])

    const other = await openTab(stack.browser, stack.server.url, {
      locale: 'zh-CN',
      viewport: phone,
      accounts: [session],
    })
    await other.page.goto(page.url())
    await other.app.heading('All my files').waitFor()
    await other.page.getByText(other.app.t('backups.completed'), { exact: true }).first().waitFor()
    await keepPicture(other.page, 'backup-completed-phone')
    expect(await findBarriers(other.page)).toEqual([])
  })
}

const lost = { folder: '海图 & charts', name: 'Passe de l’Est – 2026.txt', content: 'Here be corals' }

/** Gives its path in `drive`; agents run as another user, whose folder it is. */
function writeLost(drive: string): string {
  const folder = join(drive, lost.folder)
  const { uid, gid } = statSync(drive)
  mkdirSync(folder)
  chownSync(folder, uid, gid)
  writeFileSync(join(folder, lost.name), lost.content)
  return join(folder, lost.name)
}

/** From the list of backups to the files of the newest snapshot. */
async function openFiles({ page, app }: ConsoleTab, backupId: string): Promise<void> {
  await page.goto('/backup')
  await page.locator(`main a[href="/backupDetails/${backupId}"]`).first().click()
  await page.locator('main').getByText(app.t('backups.browse'), { exact: true }).first().click()
}

/** Nothing that the page asks or is told has a name of a file. */
async function putBackLost(tab: ConsoleTab, backupId: string): Promise<void> {
  const { page, app } = tab
  const said: Promise<string>[] = []
  // The stream of changes never finishes; of a page that was left no answer can be had.
  const listen = (request: Request) => {
    const answered = request.response().then((answer) => answer?.text())
    said.push(answered.catch(() => '').then((text) => `${request.postData()} ${text}`))
  }
  page.on('requestfinished', listen)
  await openFiles(tab, backupId)
  await app.button(lost.folder).click()
  await page.getByRole('checkbox', { name: app.t('backups.look.chooseOne', lost), exact: true }).check()
  await page.locator('[name=chosenWay][value=beside]').check({ force: true })
  await app.button(app.t('backups.look.restoreCount_one', { count: 1 })).click()
  await page.waitForURL((url) => url.pathname === `/backupDetails/${backupId}` && url.search === '')
  await page.getByText(app.t('backups.restored_one', { count: 1, size: '14 B' }), { exact: false }).waitFor()
  await keepPicture(page, 'backup-file-back')
  page.off('requestfinished', listen)
  const texts = await Promise.all(said)
  expect(texts.join('\n')).toContain('&choice=')
  for (const text of texts) expect(text).not.toMatch(/Passe(?: |\+|%20)de/)
}

/** Runs the command of the page by hand; gives the paths of the restored files. */
async function restoreAlone(tab: ConsoleTab, backupId: string, folder: string): Promise<string[]> {
  const { page, app } = tab
  await openFiles(tab, backupId)
  await page.getByText(app.t('backups.look.gone', { cluster: 'Tikehau' }), { exact: true }).waitFor()
  await app.button(app.t('backups.aloneAct')).click()
  const command = await page.locator('main code').filter({ hasText: 'restic restore' }).innerText()
  const path = `${dirname(await needRestic())}:${process.env['PATH']}`
  const env = { PATH: path, HOME: folder, RESTIC_PASSWORD: password }
  await promisify(execFile)('sh', ['-ec', command], { cwd: folder, env })
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

/** A test of the file that calls it: a lost file, and the loss of the whole cluster. */
export function testNewCluster(): void {
  it('puts a lost file back where it was; when its cluster was destroyed, restic alone has it, and a new cluster', async () => {
    const { api, session } = await createPerson(stack.server.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Tikehau' }))
    const { instanceId } = await waitForStatus(api, clusterId, ['inactivated', 'running'])
    const drive = findDrive(instanceId)
    const file = writeLost(drive)
    const backupId = await backUp(api, clusterId, password)
    await until(
      'the snapshot is there',
      async () => (await api.ask(backupDetail, { backupId })).backup.lastCompletedAt !== null,
      // Other walks wait longer still: agent and restic start first, on a machine that may be busy.
    )
    const tab = await openTab(stack.browser, stack.server.url, { viewport: desktop, accounts: [session] })
    const { page, app } = tab
    rmSync(file)
    await putBackLost(tab, backupId)
    expect(readFileSync(file, 'utf8')).toBe(lost.content)
    expect(readdirSync(drive, { recursive: true })).toHaveLength(2)

    await api.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(api, clusterId)
    const alone = mkdtempSync(join(tmpdir(), 'atoll-alone-'))
    onTestFinished(() => rmSync(alone, { recursive: true }))
    const had = await restoreAlone(tab, backupId, alone)
    expect(readFileSync(had.find((path) => path.endsWith(lost.name)) ?? '', 'utf8')).toBe(lost.content)

    await page.goto(`/backupDetails/${backupId}`)
    await page.locator('td').getByText(app.t('backups.restore'), { exact: true }).click()
    await app.button(app.t('backups.restoreCluster'), page.getByRole('dialog')).click()
    await page.getByText(app.t('create.restoreFiles_one', { count: 1, size: '14 B' }), { exact: false }).waitFor()
    await keepPicture(page, 'create-from-backup')
    await app.link(app.t('create.toHardware')).click()
    await app.link(app.t('create.toReview')).click()
    await page.getByLabel(app.t('create.name'), { exact: true }).fill('Manihi')
    await app.button(app.t('create.do', { name: 'Manihi' })).click()

    await app.heading(app.t('backups.restoring')).waitFor()
    const field = page.getByLabel(app.t('backups.password'), { exact: true })
    await field.fill(password.toUpperCase())
    await app.button(app.t('backups.passwordSend')).click()
    await page.getByText('Backup password incorrect, please re-enter.', { exact: true }).first().waitFor()
    const made = page.url().split('/').at(-1) ?? ''
    await waitForStatus(api, made, ['restore_error'])
    expect(await findBarriers(page)).toEqual([])
    await keepPicture(page, 'restore-error')
    // The page asks later, too.
    await page.reload()
    await field.fill(password)
    await app.button(app.t('backups.passwordRetry')).click()
    const restored = await waitForStatus(api, made, ['inactivated', 'running'])
    await keepPicture(page, 'restored-cluster')
    const steps = JSON.parse(restored.installLog) as { step: string; state: string; startedAt: string }[] // the agent's
    expect(steps.map(({ step, state }) => `${step} ${state}`)).toContain('restore done')
    const back = join(findDrive(restored.instanceId), lost.folder, lost.name)
    expect(readFileSync(back, 'utf8')).toBe(lost.content)
    expect((await api.ask(clusterActivation, { clusterId: made })).password).not.toBe('')
    expect(tab.complaints).toEqual([])
    expect(stack.server.log.join('\n')).not.toContain(password)
  })
}
