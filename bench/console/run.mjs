// `npm run console-speed`: signs in to the console of a production build in Chromium as the owner of the demo tenant, and prints for each
// section the time from a click to the painted heading of its page, the time from Save to the painted answer, and the compressed
// JavaScript of a first load (docs/console.md). `--url` measures a demo server that runs already, `--rounds` says how often (5).
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureChromium } from '../../lib/server/node/launch/chromium.mjs'
import { launch } from '../../lib/server/node/launch/step.mjs'
import { enterConsole, withDemoServer } from '../lib/demo-console.mjs'
import { watchOthers } from '../lib/disturbance.mjs'
import { describeMachine } from '../lib/machine.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOME = '/console'
/** Milliseconds between the arrival of a hand's pointer and its click. */
const HAND = 200

const { values } = parseArgs({ options: { url: { type: 'string' }, rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)

/** Runs in each page: `paintedAfter` is called before a step and answers, when its selector has a new text on the screen, the time since. */
function watching() {
  let began = 0
  window.addEventListener('click', () => (began = performance.now()), true)
  // The task after a frame: a second frame would wait for what the page does once it has answered.
  const painted = () =>
    new Promise((done) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = done
      requestAnimationFrame(() => port2.postMessage(null))
    })
  window.paintedAfter = async (selector, before) => {
    began = 0
    const isThere = () => began > 0 && (document.querySelector(selector)?.textContent ?? before) !== before
    while (!isThere()) await new Promise((done) => requestAnimationFrame(done))
    await painted()
    return performance.now() - began
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const round = (number) => String(Math.round(number))

/** Compressed bytes of the scripts that an empty cache loads with a page. */
async function firstLoad(browser, state, url) {
  const context = await browser.newContext({ storageState: state })
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const scripts = new Set()
  let bytes = 0
  network.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await context.close()
  return bytes
}

/**
 * Milliseconds from the click on a link of the navigation to the heading of its page, which was not shown before. `resting`: milliseconds
 * that the pointer is on the link before, as a hand's is.
 */
async function navigationTime(page, url, path, resting) {
  const times = []
  for (let n = 0; n < rounds; n += 1) {
    await page.goto(url + (path === HOME ? '/console/roles' : HOME), { waitUntil: 'networkidle' })
    const heading = await page.locator('h1').textContent()
    const painting = page.evaluate((before) => window.paintedAfter('h1', before), heading)
    const link = page.locator(`.co-wide a[href="${path}"]`)
    await link.hover()
    await page.waitForTimeout(resting)
    await link.click()
    times.push(await painting)
  }
  return median(times)
}

/** Milliseconds from the click on Save to the painted message that it is saved. */
async function saveTime(page, path, label) {
  const times = []
  for (let n = 0; n < rounds; n += 1) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const field = page.getByLabel(label, { exact: true })
    const form = page.locator('form', { has: field })
    await field.fill(`Measured ${n} ${Date.now()}`)
    const painting = page.evaluate(() => window.paintedAfter('.co-done', ''))
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    times.push(await painting)
  }
  return median(times)
}

async function measure(url) {
  const disturbance = watchOthers(process.pid)
  const { shell } = await ensureChromium()
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: shell, args: flags })
  try {
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
    await context.addInitScript(watching)
    const page = await context.newPage()
    await enterConsole(page, url)
    const sections = await page
      .locator('.co-wide a')
      .evaluateAll((links) => links.map((each) => each.getAttribute('href')))
    const state = await context.storageState()
    const rows = []
    for (const path of sections) {
      const bytes = await firstLoad(browser, state, url + path)
      const times = [await navigationTime(page, url, path, HAND), await navigationTime(page, url, path, 0)]
      rows.push([path, ...times.map(round), round(bytes / 1000)])
    }
    await page.goto(`${url}/console/applications`)
    const application = await page.locator('.co-table a').first().getAttribute('href')
    const saves = [
      ['an application', await saveTime(page, url + application, 'Description')],
      ['the tenant', await saveTime(page, `${url}/console/settings`, 'Name')],
    ]
    return { rows, saves, disturbance: disturbance() }
  } finally {
    await browser.close()
  }
}

function show({ rows, saves, disturbance }) {
  console.log(describeMachine('embedded PostgreSQL', disturbance, `medians of ${rounds}`))
  console.log(
    '\n| Page | Click to heading (ms) | without a pointer that rests before | JavaScript of a first load (kB) |\n|---|---|---|---|',
  )
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log('\n| Save of | to the answer (ms) |\n|---|---|')
  for (const [what, milliseconds] of saves) console.log(`| ${what} | ${round(milliseconds)} |`)
}

await launch(async () => {
  if (values.url !== undefined) show(await measure(values.url))
  else await withDemoServer(ROOT, 'console', async (url) => show(await measure(url)))
})
