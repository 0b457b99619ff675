// The secondary process in which Next runs (docs/adr/0002). It listens on a socket that only its parent can reach, reports when
// it is ready, and ends with its parent. The parent states the peer address in a header; the address of this socket is ignored.
import { once } from 'node:events'
import { createServer } from 'node:http'
import next from 'next'
import { writeAsLines } from '../maintenance/lines'
import { createLogger } from '../maintenance/log'
import { standBehind } from '../next/secondary-process'
import type { NextProcessOptions } from './next-adapter'

const { socket, logLevel, ...options } = JSON.parse(process.argv[2] ?? '') as NextProcessOptions

standBehind()
if (!process.stdout.isTTY && !options.dev) writeAsLines(createLogger(logLevel))
// Ctrl-C reaches every process of the terminal. The parent ends this process when it is no longer needed.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('disconnect', () => process.exit())

const app = next({ ...options, customServer: true })
// Next's start-up messages are for developers. A production server writes log records only.
const { log } = console
if (!options.dev) console.log = () => {}
await app.prepare()
console.log = log
// The parent decides how long connections live: if this side closed one, the next request on it would fail.
const server = createServer({ keepAliveTimeout: 0 }, app.getRequestHandler())
if (options.dev) server.on('upgrade', app.getUpgradeHandler())
server.listen(socket)
await once(server, 'listening')
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void app.close().finally(() => process.exit())
})
process.send?.('ready')
