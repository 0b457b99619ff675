// `npm run pictures`: a demo server of its own, with a day of logins.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { scratchFolder } from '../../lib/testing/scratch.mjs'

const PORT = Number(process.env.PICTURES_PORT ?? 4290)
const SERVER = `http://localhost:${PORT}`
const dataDir = process.env.PICTURES_DATA_DIR ?? makeDataDir()
process.env.PICTURES_DATA_DIR = dataDir

const asRoot = process.getuid?.() === 0
const { HEADLESS_SHELL_PATH } = process.env

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/pictures',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    baseURL: SERVER,
    locale: 'en',
    launchOptions: {
      args: asRoot ? ['--no-sandbox'] : [],
      ...(HEADLESS_SHELL_PATH ? { executablePath: HEADLESS_SHELL_PATH } : {}),
    },
  },
  webServer: {
    command: 'node --enable-source-maps dist/server.js',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    url: `${SERVER}/readyz`,
    timeout: 240_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      NODE_ENV: 'production',
      PORT: String(PORT),
      APP_URL: SERVER,
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_LOG_LEVEL: 'warn',
      LATCHKEY_DEMO: '1',
      // The machine's own settings must not reach the pictures.
      DATABASE_URL: '',
      REDIS_URL: '',
      SMTP_URL: '',
      SMTP_FROM: '',
      LATCHKEY_SECRET: '',
      LATCHKEY_CONFIG: '',
    },
  },
})

/** Removed by the main process: workers read this file too. */
function makeDataDir(): string {
  const folder = mkdtempSync(join(scratchFolder(), 'latchkey-pictures-'))
  // If this process runs as root, the database runs as another account, which needs access.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
