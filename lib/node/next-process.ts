// The process in which Next runs (docs/adr/0002): it listens where only its parent can reach it, says so, and ends with
// it. The parent has told whose request each is, so what it wrote counts and this socket's address does not.
import { once } from 'node:events'
import { createServer } from 'node:http'
import next from 'next'
import { standBehind } from '../next/secondary-process'
import type { NextProcessOptions } from './next-adapter'

const { socket, ...options } = JSON.parse(process.argv[2] ?? '') as NextProcessOptions

standBehind()
// Ctrl-C reaches every process of the terminal; the parent ends this one once nobody needs it.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
process.on('disconnect', () => process.exit())

const app = next({ ...options, customServer: true })
// What Next tells of its preparations is for those who develop; a server that listens writes log records alone.
const { log } = console
if (!options.dev) console.log = () => {}
await app.prepare()
console.log = log
// The parent keeps connections for as long as it likes; one closed by this side would fail the request that takes it.
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
