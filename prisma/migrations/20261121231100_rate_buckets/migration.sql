-- Not logged: a count is worth no write to the log, and a crash of the database may fill the buckets. Pages leave room for
-- the next version of a row, which changes with every request.
CREATE UNLOGGED TABLE "rate_bucket" (
    "key" BYTEA NOT NULL,
    "burst" DOUBLE PRECISION NOT NULL,
    "per_minute" DOUBLE PRECISION NOT NULL,
    "taken" INTEGER NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "kept_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 50);

-- CreateIndex
CREATE INDEX "rate_bucket_kept_until_idx" ON "rate_bucket"("kept_until");
