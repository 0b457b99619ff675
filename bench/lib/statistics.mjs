// Statistics for the report.

export const ascending = (values) => [...values].sort((a, b) => a - b)

/** Nearest-rank percentile of values in ascending order. */
export const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]

export function median(values) {
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
