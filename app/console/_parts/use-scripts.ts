'use client'
import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether scripts run: false in the page as the server sends it. */
export const useScripts = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
