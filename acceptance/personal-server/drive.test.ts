/**
 * The files of a personal server, as their owner uses them: sorted, searched, previewed, and several at once.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { password, startActiveAgent } from '../../apps/agent/src/testing/active-agent.ts'
import { keepPicture } from '../stack/browser.ts'
import { waitForRest } from '../stack/settled.ts'

import { namesIn, openDrive, put, server, showLargeFolder, trySigningIn } from './drive-screens.ts'

it('sorts by each column, both ways', async () => {
  await using tab = await openDrive()
  const { drive } = tab
  const all = ['Trips', 'chart.pdf', 'data2.bin', 'data10.bin', 'notes.txt', 'reef.png']
  await expect.poll(drive.names).toEqual(all)
  await drive.sort('name')
  await expect.poll(drive.names).toEqual(['Trips', ...all.slice(1).toReversed()])
  await drive.sort('size')
  await expect.poll(async () => (await drive.names()).slice(-2)).toEqual(['notes.txt', 'data10.bin'])
  await drive.sort('size')
  await expect.poll(async () => (await drive.names()).slice(0, 3)).toEqual(['Trips', 'data10.bin', 'notes.txt'])
  expect(tab.complaints).toEqual([])
})

it('searches the folder and all below it, and shows what was found', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await drive.search('REEF')
  await page.getByText(drive.t('search.found_other', { count: 2 })).waitFor()
  expect(await drive.names()).toEqual(['reef map.txt', 'reef.png'])
  await drive.entry('reef map.txt').click()
  await drive.dialog('reef map.txt').getByText('Here be corals').waitFor()
  await page.keyboard.press('Escape')
  await drive.search('nothing of this name')
  await page.getByText(drive.t('search.none')).waitFor()
  await page.keyboard.press('Escape')
  await drive.entry('notes.txt').waitFor()
  expect(tab.complaints).toEqual([])
})

it('pages a folder that is larger than a page, and sorts all of it', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await showLargeFolder(page)
  const asked = (query: string) => page.waitForRequest((request) => request.url().includes(`/api/drive/list?${query}`))
  const [second] = await Promise.all([asked('path=%2F&offset=5000&by=name'), drive.press(drive.t('pager.next'))])
  expect(second.url()).toContain('descending=0')
  // Of another order the first page is shown: the largest of the whole folder may stand on any.
  await page.waitForURL(/offset=5000/)
  const [sorted] = await Promise.all([asked('path=%2F&offset=0&by=size'), drive.sort('size')])
  expect(sorted.url()).toContain('descending=1')
  await page.waitForURL((url) => !url.search.includes('offset'))
  await Promise.all([asked('path=%2F&offset=0&by=size&descending=0'), drive.sort('size')])
  expect(tab.complaints).toEqual([])
})

it('shows who is signed in and who tried, and signs others out', async () => {
  await using own = await startActiveAgent()
  await using tab = await openDrive('en-US', { at: own })
  const { page, drive } = tab
  for (const typed of ['wrong', 'wrong', password]) await trySigningIn('203.0.113.9', typed, own)
  await page.getByRole('button', { name: drive.t('nav.account', { name: '' }) }).click()
  await page.getByRole('menuitem', { name: drive.t('sessions.title') }).click()
  await page.getByText(drive.t('sessions.tries_other', { count: 2 }), { exact: true }).waitFor()
  const lines = page.getByRole('region', { name: drive.t('sessions.open') }).locator('> ul > li')
  const other = lines.filter({ hasText: '203.0.113.9' })
  await other.getByRole('button').click()
  await other.waitFor({ state: 'detached' })
  await trySigningIn('203.0.113.9', password, own)
  await page.reload()
  await other.waitFor()
  await drive.press(drive.t('sessions.endOthers'))
  const dialog = drive.dialog(drive.t('sessions.othersTitle'))
  await dialog.getByRole('button', { name: drive.t('sessions.endOthers') }).click()
  await other.waitFor({ state: 'detached' })
  expect(await lines.count()).toBe(1)
  await lines.getByText(drive.t('sessions.current'), { exact: true }).waitFor()
  expect(tab.complaints).toEqual([])
})

it('makes an app password, which opens the files over WebDAV until it is revoked', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await page.goto(new URL('/sessions', page.url()).href)
  await drive.press(drive.t('appPasswords.new'))
  await page.getByLabel(drive.t('appPasswords.name'), { exact: true }).fill('Laptop')
  await page.getByLabel(drive.t('appPasswords.own'), { exact: true }).fill(password)
  await drive.press(drive.t('appPasswords.make'))
  const made = drive.dialog(drive.t('appPasswords.madeTitle', { name: 'Laptop' }))
  await made.waitFor()
  const [address = '', name, secret] = await made.locator('code').allInnerTexts()
  await made.getByRole('button', { name: drive.t('appPasswords.done'), exact: true }).click()
  const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  const list = async () => (await fetch(address, { method: 'PROPFIND', headers: { authorization, depth: '1' } })).status
  expect(await list()).toBe(207)
  const revoke = page.getByRole('button', { name: drive.t('appPasswords.revokeOf', { name: 'Laptop' }), exact: true })
  await revoke.click()
  await revoke.waitFor({ state: 'detached' })
  expect(await list()).toBe(401)
  await page.getByText(drive.t('appPasswords.by', { name: 'Laptop' }), { exact: true }).waitFor()
  expect(tab.complaints).toEqual([])
})

it('shows pictures, PDF and text, and never runs what was uploaded', async () => {
  await using tab = await openDrive('en-US', { showsPdf: true })
  const { page, drive } = tab
  const script = '<script>top.document.title = document.title = "stolen"</script>'
  await put('/page.html', `<!doctype html>${script}`)
  await put('/drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)
  await put('/false.pdf', `<!doctype html>${script}`)
  await page.reload()
  await drive.entry('reef.png').click()
  const picture = drive.dialog('reef.png').getByRole('img', { name: 'reef.png' })
  await expect.poll(() => picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0))).toBe(320)
  await keepPicture(page, 'drive-picture')
  await page.keyboard.press('Escape')
  await drive.entry('chart.pdf').press('Enter')
  const frame = await (await drive.dialog('chart.pdf').locator('iframe').elementHandle())?.contentFrame()
  await expect.poll(() => frame?.url()).toContain('/api/drive/file?path=%2Fchart.pdf&inline=1')
  await keepPicture(page, 'drive-pdf')
  await drive.closeDialog('chart.pdf')
  for (const name of ['page.html', 'drawing.svg']) {
    await drive.entry(name).click()
    await drive.dialog(name).getByText(script).waitFor()
    await drive.closeDialog(name)
  }
  expect(tab.complaints).toEqual([])
  await drive.entry('false.pdf').click()
  await drive.dialog('false.pdf').locator('iframe').waitFor()
  await waitForRest(page)
  expect(await page.title()).not.toBe('stolen')
  for (const name of ['page.html', 'drawing.svg', 'false.pdf'])
    await server.ask(`DELETE /api/drive/entry?path=/${name}`)
})

it('downloads, moves and deletes several at once', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  const names = Array.from({ length: 12 }, (_, index) => `many${index + 1}.bin`)
  for (const name of names) await put(`/${name}`, name)
  await page.reload()
  for (const name of names) await drive.pick(name).press('Space')
  const focused = () => page.evaluate<string>('document.activeElement.tagName')
  const contents = new Map<string, string>()
  page.on('download', async (download) => {
    contents.set(download.suggestedFilename(), readFileSync(await download.path(), 'utf8'))
  })
  await drive.press(drive.t('select.download_other', { count: 12 }))
  await expect.poll(() => [...contents].toSorted()).toEqual(names.map((name) => [name, name]).toSorted())

  await drive.press(drive.t('drive.move'))
  const moving = drive.dialog(drive.t('move.manyTitle_other', { count: 12 }))
  await moving.getByRole('button', { name: 'Trips', exact: true }).click()
  await drive.press(drive.t('move.submit'))
  await moving.waitFor({ state: 'detached' })
  await expect.poll(drive.names).not.toContain('many1.bin')
  await expect.poll(focused).toBe('H1')
  expect(await namesIn('/Trips')).toEqual(['2026', ...names])

  await drive.entry('Trips').click()
  await drive.entry('many1.bin').waitFor()
  await page.getByRole('checkbox', { name: drive.t('select.all'), exact: true }).check()
  await drive.pick('2026').uncheck()
  await drive.press(drive.t('drive.delete'))
  const deleting = drive.dialog(drive.t('remove.manyTitle_other', { count: 12 }))
  await deleting.getByRole('button', { name: drive.t('remove.go'), exact: true }).click()
  await deleting.waitFor({ state: 'detached' })
  await expect.poll(drive.names).toEqual(['2026'])
  await expect.poll(focused).toBe('H1')
  expect(await namesIn('/Trips')).toEqual(['2026'])
  expect(tab.complaints).toEqual([])
})

it('says which of several could not be moved, and goes on from there', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await put('/Trips/b.bin', 'taken')
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await put(`/${name}`, name)
  await page.reload()
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await drive.pick(name).check()
  await drive.press(drive.t('drive.move'))
  const moving = drive.dialog(drive.t('move.manyTitle_other', { count: 3 }))
  await moving.getByRole('button', { name: 'Trips', exact: true }).click()
  await drive.press(drive.t('move.submit'))
  await moving.getByText(drive.t('select.stopped', { name: 'b.bin', problem: drive.t('problem.exists') })).waitFor()
  await server.ask('DELETE /api/drive/entry?path=/Trips/b.bin')
  await drive.press(drive.t('move.submit'))
  await moving.waitFor({ state: 'detached' })
  expect(await namesIn('/Trips')).toEqual(['2026', 'a.bin', 'b.bin', 'c.bin'])
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await server.ask(`DELETE /api/drive/entry?path=/Trips/${name}`)
})
