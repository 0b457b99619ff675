// Reads the messages in the outbox, as a developer's own tests would.
import { expect } from '@playwright/test'
import { SERVER } from '../origins'

export type Message = {
  id: string
  channel: string
  to: string
  subject: string
  text: string
  html: string
  link: string | null
  code: string | null
}

export async function messagesTo(address: string): Promise<Message[]> {
  const answer = await fetch(`${SERVER}/dev/outbox.json?${new URLSearchParams({ to: address })}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Message[]
}

export async function newestTo(address: string): Promise<Message> {
  await expect.poll(async () => (await messagesTo(address)).length).toBeGreaterThan(0)
  const [newest] = await messagesTo(address)
  if (!newest) throw new Error(`nothing was sent to ${address}`)
  return newest
}

/** The code in the newest message, different from `before`. */
export async function codeTo(address: string, before?: string): Promise<string> {
  const newest = async () => (await messagesTo(address))[0]?.code ?? before
  await expect.poll(newest).not.toBe(before)
  return (await newest()) ?? ''
}
