// Firefox, driven by W3C WebDriver BiDi: commands and events as JSON over one WebSocket.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from './browser'
import { makeHome, removeHome, startProgram } from './program'

export type FirefoxOptions = { javaScript: boolean }

type Send = <T = unknown>(method: string, params: object) => Promise<T>
type Connection = { send: Send; close(): void }

const SELECT_ALL = ['\uE009', 'a']
/** A separate script realm: it sees the document, and the page does not see it. */
const SANDBOX = 'walk'

export async function openFirefox({ javaScript }: FirefoxOptions = { javaScript: true }): Promise<Browser> {
  const home = await makeHome()
  await writeFile(join(home, 'user.js'), preferences({ ...QUIET, 'javascript.enabled': javaScript }))
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0']
  const program = startProgram('firefox-esr', args, { HOME: home })
  const [, address] = await program.says(/WebDriver BiDi listening on (ws:\S+)/)
  const errors: string[] = []
  const { send, close } = await connect(`${address}/session`, (text) => errors.push(text))
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context ?? ''
  const page = openPage(send, context)
  return {
    name: javaScript ? 'Firefox' : 'Firefox without JavaScript',
    version: capabilities.browserVersion,
    ...page,
    clearCookies: async () => {
      await send('storage.deleteCookies', {})
    },
    errors: () => errors,
    async close() {
      await send('browser.close', {}).catch(() => {})
      close()
      await program.end()
      await removeHome(home)
    },
  }
}

const QUIET = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en',
  'signon.rememberSignons': false,
}

const preferences = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')

type Page = Pick<Browser, 'goto' | 'url' | 'text' | 'fill' | 'click'>

function openPage(send: Send, context: string): Page {
  const evaluate = async (expression: string): Promise<string> => {
    const target = { context, sandbox: SANDBOX }
    const { result } = await send<{ result: { value: string } }>('script.evaluate', {
      expression,
      target,
      awaitPromise: false,
    })
    return result.value
  }
  const find = async (selector: string): Promise<object> => {
    const locator = { type: 'css', value: selector }
    const { nodes } = await send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', { context, locator })
    if (!nodes[0]) throw new Error(`no ${selector} on the page:\n${await evaluate(TEXT)}`)
    return { sharedId: nodes[0].sharedId }
  }
  const press = (keys: string[]) => [
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]
  const click = async (selector: string): Promise<void> => {
    const element = await find(selector)
    await send('script.callFunction', {
      functionDeclaration: '(element) => element.scrollIntoView({ block: "center" })',
      arguments: [element],
      target: { context, sandbox: SANDBOX },
      awaitPromise: false,
    })
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
  }
  return {
    goto: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    url: () => evaluate('location.href'),
    text: () => evaluate(TEXT),
    click,
    async fill(selector, text) {
      await click(selector)
      const actions = [...press(SELECT_ALL), ...Array.from(text).flatMap((letter) => press([letter]))]
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
  }
}

const TEXT = 'document.body?.innerText ?? ""'

type Incoming = {
  id?: number
  type: string
  result?: unknown
  error?: string
  message?: string
  params?: { level?: string; text?: string }
}

async function connect(address: string, onError: (text: string) => void): Promise<Connection> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const waiting = new Map<number, (answer: Incoming) => void>()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Incoming
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.params?.level === 'error') onError(message.params.text ?? '')
  }
  let last = 0
  return {
    send: <T>(method: string, params: object) =>
      new Promise<T>((resolve, reject) => {
        last += 1
        waiting.set(last, ({ type, result, error, message }) => {
          if (type === 'success') resolve(result as T)
          else reject(new Error(`${method}: ${error} ${message}`))
        })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}
