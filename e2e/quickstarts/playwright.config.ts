// `npm run quickstarts`: one page after the other, since all use the same ports.
import { defineConfig, devices } from '@playwright/test'
import { HOST_RULES } from '../origins'

const { CHROMIUM_PATH } = process.env
const asRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: '.',
  testMatch: 'as-written.spec.ts',
  outputDir: '../../test-results/quickstarts',
  workers: 1,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: [...(asRoot ? ['--no-sandbox'] : []), HOST_RULES],
      ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
    },
  },
})
