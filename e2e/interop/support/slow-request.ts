// A request of any duration: the server has its head, and its body is still being sent.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'

export type SlowRequest = { finish(): Promise<string> }

export async function beginRequest(port: number, path: string, body: string): Promise<SlowRequest> {
  const socket: Socket = connect(port, 'localhost')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const ended = once(socket, 'close')
  const half = Math.floor(body.length / 2)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server responds with this once it has read the headers.
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  received = ''
  socket.write(body.slice(0, half))
  return {
    async finish() {
      socket.write(body.slice(half))
      await ended
      return received
    },
  }
}
