// How far the heap of JavaScript may grow before V8 collects what is old.
import { setFlagsFromString } from 'node:v8'

/**
 * By half of what lives. V8's own choice is up to three times as much, so a job that makes much garbage, such as an import of users, left
 * hundreds of megabytes of empty heap behind (docs/performance.md). V8 reads it after every full collection.
 */
export const HEAP_GROWTH = '--heap-growing-percent=50'

export const boundHeap = (): void => setFlagsFromString(HEAP_GROWTH)
