// Linear regression: the slope and its standard error.

export function slopeOf(points) {
  const count = points.length
  const mean = (read) => points.reduce((sum, point) => sum + read(point), 0) / count
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  const slope = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
  const rest = points.reduce((sum, point) => sum + (point.y - y - slope * (point.x - x)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) }
}
