// WebKitGTK's own test browser, driven by W3C WebDriver: commands as JSON over HTTP, one at a time.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../lib/testing/free-port.mjs'
import type { Browser } from './browser'
import { makeHome, removeHome, startProgram } from './program'

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** The test environment has no message bus and no graphics card and, for root, no sandbox. */
const ALONE = {
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  LIBGL_ALWAYS_SOFTWARE: '1',
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
}

type Session = { sessionId: string; capabilities: { browserVersion: string } }

export async function openWebKit(): Promise<Browser> {
  const home = await makeHome()
  const screen = startProgram('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {})
  const [, display] = await screen.says(/^(\d+)\n/)
  const port = await freePort()
  const driver = startProgram('WebKitWebDriver', [`--port=${port}`], { ...ALONE, HOME: home, DISPLAY: `:${display}` })
  const options = { binary: miniBrowser(), args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const created = await untilListening(() => command<Session>(port, 'POST', 'session', { capabilities }))
  const base = `session/${created.sessionId}`
  const ask = <T>(method: string, path: string, body?: object) => command<T>(port, method, `${base}/${path}`, body)
  const find = async (selector: string): Promise<string> => {
    const found = await ask<Record<string, string>>('POST', 'element', { using: 'css selector', value: selector })
    return `element/${found[ELEMENT]}`
  }
  return {
    name: 'WebKitGTK',
    version: created.capabilities.browserVersion,
    goto: (url) => ask('POST', 'url', { url }),
    url: () => ask('GET', 'url'),
    text: async () => ask('GET', `${await find('body')}/text`),
    async fill(selector, text) {
      const element = await find(selector)
      await ask('POST', `${element}/clear`, {})
      await ask('POST', `${element}/value`, { text })
    },
    click: async (selector) => ask('POST', `${await find(selector)}/click`, {}),
    clearCookies: () => ask('DELETE', 'cookie'),
    errors: () => null,
    async close() {
      await ask('DELETE', '').catch(() => {})
      await driver.end()
      await screen.end()
      await removeHome(home)
    },
  }
}

function miniBrowser(): string {
  const folder = readdirSync(LIBRARIES).find((name) => name.startsWith('webkit2gtk-4'))
  return join(LIBRARIES, folder ?? 'webkit2gtk-4.1', 'MiniBrowser')
}

async function command<T>(port: number, method: string, path: string, body?: object): Promise<T> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${port}/${path.replace(/\/$/, '')}`, init)
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
  if (!answer.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`)
  return value
}

async function untilListening<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
}
