/** The wallet's scanner: what is around its frame is dark, and its bar is not. */
import { type ServerProcess, startServer } from '@atoll/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { type Camera, launchWithCamera, openScreen, phone } from '../stack/browser.ts'

let server: ServerProcess
let camera: Camera
beforeAll(async () => {
  ;[server, camera] = await Promise.all([startServer(), launchWithCamera()])
})
afterAll(async () => {
  await camera?.[Symbol.asyncDispose]()
  await server?.dispose()
})

it('leaves title and close button as bright as they are', async () => {
  const { page } = await openScreen(camera.browser, { locale: 'en-US', viewport: phone, camera: true })
  const wallet = walletApp(page, 'en-US')
  await wallet.createIdentity(server.walletUrl, 'lens@atoll.test')
  await wallet.goHome()
  await wallet.press(wallet.t('act.scan'))
  await page.getByText(wallet.t('scan.point'), { exact: true }).waitFor()
  const brightest = async (picture: Buffer) => (await sharp(picture).greyscale().stats()).channels[0]?.max
  expect(await brightest(await page.getByRole('heading', { level: 1 }).screenshot())).toBeGreaterThan(240)
  expect(await brightest(await page.getByRole('link', { name: wallet.t('act.close') }).screenshot())).toBeGreaterThan(
    200,
  )
})
