/** The cost of drawing a cluster's charts on a slow processor. */
import { launchBrowser } from '../acceptance/stack/browser.ts'
import { openTab } from '../acceptance/stack/console-tab.ts'
import { sampleAnswers } from '../acceptance/stack/samples/sample-account.ts'
import { sampleClusters } from '../acceptance/stack/samples/sample-clusters.ts'
import { startScriptedConsole } from '../acceptance/stack/scripted-console.ts'
import { waitForRest } from '../acceptance/stack/settled.ts'
import { ensureChromium } from '../scripts/programs/chromium.ts'
import { median, type Ratio } from './figures.ts'

/** As slow as a middling phone. */
const slowdown = 4
const rounds = 21

/**
 * The window gets another width, and four charts of 288 points, of the master and of the workers, are redrawn: all
 * script that runs until the page rests. The layout of the whole page, which changes with its width, is reported too.
 */
export async function measureCharts(): Promise<Ratio> {
  process.env['CHROMIUM_PATH'] = await ensureChromium()
  await using server = await startScriptedConsole(sampleAnswers())
  const browser = await launchBrowser()
  try {
    const running = sampleClusters.find(({ status }) => status === 'running')
    const { page, context } = await openTab(browser, server.url)
    await page.goto(`/cluster/${running?.clusterId}?tab=monitoring&range=24h`)
    await page.getByRole('slider').nth(3).waitFor()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const ms = (named: string) => 1000 * (metrics.find(({ name }) => name === named)?.value ?? Number.NaN)
      return { script: ms('ScriptDuration'), layout: ms('LayoutDuration') + ms('RecalcStyleDuration') }
    }
    const took = { script: [] as number[], layout: [] as number[] }
    for (let round = -2; round < rounds; round += 1) {
      await waitForRest(page)
      const before = await spent()
      await page.setViewportSize({ width: round % 2 === 0 ? 1200 : 1280, height: 900 })
      await waitForRest(page)
      const after = await spent()
      if (round < 0) continue
      took.script.push(after.script - before.script)
      took.layout.push(after.layout - before.layout)
    }
    return {
      name: `ms of a ${slowdown} times slower processor to draw four charts of 288 points`,
      value: median(took.script),
      target: { atMost: 50 },
      from: `script, median of ${rounds}; style and layout of the whole page besides, ${median(took.layout).toFixed(0)} ms`,
    }
  } finally {
    await browser.close()
  }
}
