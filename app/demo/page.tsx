import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { demoHome, isDemo } from '../../lib/server/next/demo'
import { Shell } from '../_shared/shell'
import { DemoApp } from './demo-app'
import './demo.css'

export const metadata: Metadata = { title: 'Demo app' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Rendered per request: the running server decides whether the page exists, and its scripts need the request's nonce. */
export default async function DemoPage({ searchParams }: Props) {
  await connection()
  const [demo, home] = await Promise.all([isDemo(), demoHome()])
  if (!demo) notFound()
  const returned = (await searchParams).code !== undefined
  return (
    <Shell current="/demo" demo>
      <DemoApp home={home} returned={returned} />
    </Shell>
  )
}
