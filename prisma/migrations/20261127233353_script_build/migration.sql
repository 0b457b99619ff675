-- CreateTable
CREATE TABLE "script_build" (
    "tenant_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "need" JSONB NOT NULL,
    "bundle" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "build_due_at" TIMESTAMPTZ(3),
    "build_attempt" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "script_build_pkey" PRIMARY KEY ("tenant_id","key")
);

-- CreateIndex
CREATE INDEX "script_build_build_due_at_idx" ON "script_build"("build_due_at");

-- AddForeignKey
ALTER TABLE "script_build" ADD CONSTRAINT "script_build_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
