// `npm run pictures`: takes the pictures of the console for the docs, in both colour schemes, into docs/images. A server of the demo
// tenant runs for it, to which people sign in, sign up and fail first.
import '../../lib/server/node/launch/node-version.mjs'
import { randomBytes } from 'node:crypto'
import { chromium } from '@playwright/test'
import { enterConsole, fillSignIn, withDemoServer } from '../../bench/lib/demo-console.mjs'
import { ensureChromium } from '../../lib/server/node/launch/chromium.mjs'
import { ensureDependencies } from '../../lib/server/node/launch/dependencies.mjs'
import { inRoot, root } from '../../lib/server/node/launch/root.mjs'
import { launch, step } from '../../lib/server/node/launch/step.mjs'

const VIEW = { width: 1280, height: 1000 }

/** The name of the picture, and the page or the way to it. */
const PICTURES = [
  ['console-home', '/console?range=24h'],
  ['console-login', firstFailedLogin],
]

const PEOPLE = ['marie', 'emmy', 'katherine', 'lise', 'rosalind', 'sofia']

const PASSING = [
  { email: 'ada@demo.test', password: 'analytical engine 1843' },
  { email: 'grace@demo.test', password: 'nanosecond of copper wire' },
]

async function firstFailedLogin(page, url) {
  await page.goto(`${url}/console/logins?outcome=failed`)
  return page.locator('.co-table .co-row-link').first().getAttribute('href')
}

/** At the page of the demo application's login. */
async function atLogin(browser, url) {
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  await page.goto(`${url}/demo`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Email address', { exact: true }).waitFor()
  return page
}

async function signUp(browser, url, name) {
  const page = await atLogin(browser, url)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email address', { exact: true }).fill(`${name}@demo.test`)
  await page.getByLabel(/^(New p|P)assword$/).fill(`${randomBytes(12).toString('base64')}aA1`)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/u/signup'))
  await page.context().close()
}

async function signIn(browser, url, person) {
  const page = await atLogin(browser, url)
  await fillSignIn(page, person)
  await page.waitForURL((address) => !address.pathname.startsWith('/u/login'))
  const allow = page.getByRole('button', { name: 'Allow', exact: true })
  if (await allow.isVisible()) {
    await allow.click()
    await page.waitForURL((address) => address.pathname === '/demo')
  }
  await page.context().close()
}

async function failToSignIn(browser, url, email) {
  const page = await atLogin(browser, url)
  await fillSignIn(page, { email, password: 'not the right one' })
  await page.getByRole('main').getByRole('alert').waitFor()
  await page.context().close()
}

async function beBusy(browser, url) {
  for (const name of PEOPLE) await signUp(browser, url, name)
  for (const person of [...PASSING, ...PASSING, ...PASSING]) await signIn(browser, url, person)
  for (const email of ['grace@demo.test', 'dorothy@demo.test']) await failToSignIn(browser, url, email)
}

async function take(browser, url) {
  const context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', viewport: VIEW, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await enterConsole(page, url)
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  for (const [name, place] of PICTURES) {
    const path = typeof place === 'string' ? place : await place(page, url)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await page.goto(url + path, { waitUntil: 'networkidle' })
      await page.screenshot({ path: inRoot(`docs/images/${name}-${colorScheme}.png`) })
    }
  }
}

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  const { shell } = await ensureChromium()
  await withDemoServer(root, 'pictures', async (url) => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const browser = await chromium.launch({ executablePath: shell, args })
    try {
      await step('Signing people in', () => beBusy(browser, url))
      await step('Taking the pictures', () => take(browser, url))
    } finally {
      await browser.close()
    }
  })
})
