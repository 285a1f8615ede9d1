/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache with documentation.
 */
provider memcached {
   /**
    * Fired when a connection object is allocated from the "connection pool".
    * @param connid the connection id
    */
   probe conn__allocate(int connid);
   probe conn__destroy(void *ptr);
   probe slabs__allocate(int size, int slabclass, int slabsize, void* ptr);
   probe assoc__find(const char *key, int keylen, int depth);

   /**
    * Fired for a get-command.
    * @param size if the key does not exist this will be -1.
    */
   probe command__get(int connid, const char *key, int keylen, int size, int64_t casid);
   probe process__command__start(int connid, const void *request, int size);
};

#pragma D attributes Unstable/Unstable/Common provider memcached provider
#pragma D attributes Private/Private/Common provider memcached module
