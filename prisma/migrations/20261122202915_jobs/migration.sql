-- CreateTable
CREATE TABLE "job" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "connection_id" TEXT,
    "settings" JSONB NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "inserted" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "cursor" TEXT,
    "status_details" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "stalls" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_part" (
    "job_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "job_part_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateTable
CREATE TABLE "job_error" (
    "job_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "user" JSONB NOT NULL,
    "errors" JSONB NOT NULL,

    CONSTRAINT "job_error_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateIndex
CREATE INDEX "job_due_at_idx" ON "job"("due_at");

-- CreateIndex
CREATE INDEX "job_created_at_idx" ON "job"("created_at");

-- AddForeignKey
ALTER TABLE "job_part" ADD CONSTRAINT "job_part_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_error" ADD CONSTRAINT "job_error_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
