// The modules of Node.js by name: those that actions have, and why the others are absent. The check of an action reads them before it runs.

/** `bcrypt` and `bcryptjs` are packages that the host has in their place. */
export const PRESENT = [
  'assert',
  'assert/strict',
  'async_hooks',
  'bcrypt',
  'bcryptjs',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'dns',
  'dns/promises',
  'events',
  'http',
  'https',
  'net',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'stream',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'tls',
  'tty',
  'url',
  'util',
  'util/types',
  'zlib',
]

const NO_FILES = 'actions have no file system'
const NO_PROCESS = 'actions start no processes and no threads'
/** Why a module of Node.js is absent. */
export const ABSENT = {
  ...{ fs: NO_FILES, 'fs/promises': NO_FILES, module: NO_FILES, sqlite: NO_FILES, wasi: NO_FILES },
  ...{ child_process: NO_PROCESS, cluster: NO_PROCESS, worker_threads: NO_PROCESS, repl: NO_PROCESS },
  ...{ dgram: 'actions send no datagrams', http2: 'actions have HTTP/1.1 alone' },
  ...{ vm: 'actions evaluate no code', v8: 'it is of another engine', inspector: 'it is of another engine' },
  ...{ readline: 'actions have no terminal', 'readline/promises': 'actions have no terminal' },
  ...{ domain: 'Node.js itself advises against it' },
  ...{ trace_events: 'it is of another engine', test: 'actions run no tests', sea: 'it is of another engine' },
}
