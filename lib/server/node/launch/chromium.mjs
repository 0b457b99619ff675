// Finds the browsers of the browser tests: the configured one, the system's, or Playwright's own. The headless shell is the same
// engine without the windows and the settings of a desktop browser, and takes less than half of its processor time.
import { existsSync } from 'node:fs'
import { capture, succeed } from './run.mjs'
import { LaunchError, step } from './step.mjs'

const SHELL = '/usr/bin/chromium-headless-shell'
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Returns the paths of the browser and of the headless shell, which is the browser where there is none. Installs Debian's if that
 * is permitted.
 */
export async function ensureChromium() {
  const chromium = await ensureBrowser()
  return { chromium, shell: !process.env.CHROMIUM_PATH && existsSync(SHELL) ? SHELL : chromium }
}

async function ensureBrowser() {
  const found = await findChromium()
  if (found) return found
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new LaunchError(
      'The browser tests need Chromium: run `npx playwright install --with-deps chromium`, then `npm test` again.',
    )
  }
  await step('Installing Chromium', installFromDebian)
  return SYSTEM[0]
}

async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new LaunchError(`CHROMIUM_PATH names ${named}, where there is nothing.`)
  const { chromium } = await import('@playwright/test')
  return [named, ...SYSTEM, chromium.executablePath()].find((path) => path && existsSync(path))
}

async function installFromDebian() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await capture('apt-get', ['update'], env)
  const packages = ['chromium', 'chromium-headless-shell']
  const failure = `Chromium could not be installed: run \`apt-get install ${packages.join(' ')}\`. It said:`
  await succeed(failure, 'apt-get', ['install', '-y', '--no-install-recommends', ...packages], env)
}
