// The browser tests: a production build on a fresh embedded database, driven in Chromium. Built by `npm test` beforehand.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { scratchFolder } from '../lib/testing/scratch.mjs'
import { HOST_RULES, SERVER, SERVER_PORT, TENANT_VARIABLES, WORKERS } from './origins'

/** One per run, created and removed by the main process: workers read this file too. */
const dataDir = process.env.E2E_DATA_DIR ?? makeDataDir()
process.env.E2E_DATA_DIR = dataDir

const asRoot = process.getuid?.() === 0
const flags = [
  ...(asRoot ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  HOST_RULES,
]

const launching = (path: string | undefined) => ({
  launchOptions: { args: flags, ...(path ? { executablePath: path } : {}) },
})

/**
 * Flows with frames, popups, blocked cookies or passkeys. The headless shell has neither Chromium's settings for cookies, and takes
 * those of other sites, nor its dialogs for passkeys. All flows of an SDK run in one of the two, so that they share its server.
 */
const IN_CHROMIUM =
  /(classic-sdk|detours|federation|passkeys|quickstarts|recovery|response-modes|spa-sdk[\w-]*)\.spec\.ts$/

const { CHROMIUM_PATH, HEADLESS_SHELL_PATH } = process.env

export default defineConfig({
  testDir: 'flows',
  globalSetup: ['./doubles/providers-setup.ts', './interop/support/served-data.ts'],
  outputDir: '../test-results/browser',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: WORKERS,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: SERVER,
    locale: 'en',
    screenshot: 'only-on-failure',
    trace: process.env.E2E_TRACE ? 'on' : 'off',
  },
  projects: [
    { name: 'chromium', testMatch: IN_CHROMIUM, use: launching(CHROMIUM_PATH) },
    { name: 'headless shell', testIgnore: IN_CHROMIUM, use: launching(HEADLESS_SHELL_PATH ?? CHROMIUM_PATH) },
  ],
  webServer: {
    command: 'node --enable-source-maps dist/server.js',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    url: `${SERVER}/readyz`,
    timeout: 240_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: process.env.E2E_LOG ? 'pipe' : 'ignore',
    env: {
      NODE_ENV: 'production',
      PORT: String(SERVER_PORT),
      APP_URL: SERVER,
      LATCHKEY_DATA_DIR: dataDir,
      LATCHKEY_LOG_LEVEL: process.env.E2E_LOG ?? 'warn',
      // The machine's own settings must not reach the run.
      DATABASE_URL: '',
      REDIS_URL: '',
      SMTP_URL: '',
      SMTP_FROM: '',
      LATCHKEY_SECRET: '',
      // The demo app is tested too, beside the tenant of the tests.
      LATCHKEY_DEMO: '1',
      LATCHKEY_CONFIG: fileURLToPath(new URL('tenant.yaml', import.meta.url)),
      // The identity providers run on this machine.
      LATCHKEY_ALLOW_PRIVATE_TARGETS: '1',
      ...TENANT_VARIABLES,
    },
  },
})

function makeDataDir(): string {
  const folder = mkdtempSync(join(scratchFolder(), 'latchkey-e2e-'))
  // If this process runs as root, the database runs as another account, which needs access.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
