// `process` of a run: it has no environment, no arguments and no files.
import { EventEmitter } from './events.js'

const VERSION = '22.20.0'

/** nextTick is called by itself by the packages that stand in for streams. */
export const nextTick = (callback, ...args) => {
  if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function')
  void Promise.resolve().then(() => callback(...args))
}

export function processOf(sys) {
  const process = new EventEmitter()
  const hrtime = (past) => {
    const now = Date.now()
    const [seconds, nanoseconds] = [Math.floor(now / 1000), (now % 1000) * 1_000_000]
    if (!past) return [seconds, nanoseconds]
    const difference = (seconds - past[0]) * 1e9 + nanoseconds - past[1]
    return [Math.floor(difference / 1e9), difference % 1e9]
  }
  hrtime.bigint = () => BigInt(Date.now()) * 1_000_000n
  /** What is written is a line of the run's output. */
  const output = (fd, level) => ({
    fd,
    isTTY: false,
    writable: true,
    write(text, ...rest) {
      sys.print(level, String(text).replace(/\n$/, ''))
      const callback = rest.find((each) => typeof each === 'function')
      if (callback) nextTick(callback)
      return true
    },
  })
  const refuse = (name) => () => {
    throw Object.assign(new Error(`process.${name} is not available: actions have no process`), {
      code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    })
  }
  Object.assign(process, {
    title: 'action',
    env: {},
    argv: [],
    argv0: 'action',
    execArgv: [],
    execPath: '/action',
    pid: 1,
    ppid: 0,
    arch: 'x64',
    platform: 'linux',
    version: `v${VERSION}`,
    versions: { node: VERSION, v8: '12.4.254.21-node.33', uv: '1.51.0', modules: '127', openssl: '3.0.17' },
    release: { name: 'node', lts: 'Jod' },
    config: { variables: {} },
    features: {},
    stdout: output(1, 'log'),
    stderr: output(2, 'error'),
    nextTick,
    hrtime,
    cwd: () => '/',
    umask: () => 0o22,
    uptime: () => 0,
    memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), {
      rss: () => 0,
    }),
    cpuUsage: () => ({ user: 0, system: 0 }),
    emitWarning(warning, type = 'Warning') {
      const name = typeof type === 'object' ? (type?.type ?? 'Warning') : type
      sys.print('warn', warning instanceof Error ? `${warning.name}: ${warning.message}` : `${name}: ${warning}`)
    },
    ...Object.fromEntries(['exit', 'abort', 'kill', 'chdir'].map((name) => [name, refuse(name)])),
  })
  return process
}
