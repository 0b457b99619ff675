'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const EVERY_MS = 4000

/** Shows new messages without a reload, while the page is visible. */
export function Watch({ newest, to }: { newest: string | null; to: string | undefined }) {
  const router = useRouter()
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return
      const found = await newestMessage(to)
      if (found !== undefined && found !== newest) router.refresh()
    }
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => clearInterval(timer)
  }, [newest, to, router])
  return null
}

/** Undefined when the request failed. */
async function newestMessage(to: string | undefined): Promise<string | null | undefined> {
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`
  const response = await fetch(`/dev/outbox.json${query}`).catch(() => undefined)
  if (!response?.ok) return undefined
  const messages = (await response.json()) as { id: string }[]
  return messages[0]?.id ?? null
}
